/** The prices, which are in the document: choosing a bundle and paying for it, or taking it where it is free. */
import type { FreeAccess } from '../../src/contract/bundles.ts';
import type { Checkout } from '../../src/contract/payments.ts';
import { carried, remember } from './address.ts';
import { call, type Problem } from './api.ts';
import { type ConnectResult, connect, refused, thisPhone } from './connect.ts';
import { checkPhone, looksLikePhone, mark, notify, onSubmit, valueOf } from './form.ts';
import { byId } from './page.ts';
import { explain, fill, text } from './words.ts';

type Unproven = Extract<ConnectResult, { kind: 'unproven' }>;

/** Where a sale leads. */
export interface Sales {
  ordered(order: string, checkout: string): void;
  free(result: ConnectResult): void;
  /** The number is somebody's: it takes a proof. */
  unproven(result: Unproven, attempt: (proof: string) => Promise<ConnectResult>): void;
}

const radios = Array.from(document.querySelectorAll<HTMLInputElement>('.bundle input'));

const chosen = (): HTMLInputElement | undefined => radios.filter(radio => radio.checked)[0];
const cardOf = (radio: HTMLElement): HTMLElement => radio.parentNode as HTMLElement;
const isFree = (radio: HTMLElement): boolean => radio.hasAttribute('data-free');

function showChoice(): void {
  const choice = chosen();
  for (const radio of radios) cardOf(radio).classList.toggle('chosen', radio === choice);
  if (choice === undefined) return;
  byId('bundle-error').textContent = '';
  byId('pay-hint').hidden = isFree(choice);
  const price = (cardOf(choice).querySelector('.price') as HTMLElement).textContent;
  byId('pay').textContent = isFree(choice) ? text.takeFree : fill(text.payAmount, { price });
}

/** Chooses it, where it is still for sale. */
export function choose(bundleId: number | undefined): void {
  for (const radio of radios) if (radio.value === String(bundleId)) radio.checked = true;
  showChoice();
}

function isKeyboardFocus(radio: HTMLElement): boolean {
  try {
    return radio.matches(':focus-visible');
  } catch {
    return true;
  }
}

export function setUpPaying(sales: Sales): void {
  for (const radio of radios) {
    const card = cardOf(radio);
    const { classList } = card;
    radio.addEventListener('change', showChoice);
    radio.addEventListener('focus', () => classList.toggle('focused', isKeyboardFocus(radio)));
    radio.addEventListener('blur', () => classList.remove('focused'));
    // What is free takes one tap; arrow keys only choose, and have a click without detail.
    card.addEventListener('click', ({ detail }) => {
      if (detail > 0 && isFree(radio) && looksLikePhone(valueOf('pay-phone'))) setTimeout(() => byId('pay').click());
    });
  }
  const [only] = radios;
  if (radios.length === 1 && only !== undefined) only.checked = true;
  showChoice();

  const check = () => {
    const phone = checkPhone('pay-phone');
    const choice = chosen();
    byId('bundle-error').textContent = choice === undefined ? text.needBundle : '';
    notify('pay-notice', null);
    if (choice === undefined && radios[0] !== undefined) {
      radios[0].id = 'first-bundle';
      return 'first-bundle';
    }
    return phone && choice !== undefined ? null : 'pay-phone';
  };
  const pay = async () => {
    const phone = valueOf('pay-phone');
    const choice = chosen() as HTMLInputElement;
    const bundle = { bundle_id: Number(choice.value), ...thisPhone(), language: document.documentElement.lang };
    remember({ phone });
    if (isFree(choice)) {
      const result = await takeFree(phone, bundle);
      if (result.kind === 'unproven') return sales.unproven(result, proof => takeFree(phone, bundle, proof));
      return result.kind === 'unanswered' ? refuse(choice, result.problem) : sales.free(result);
    }
    const order = { phone_number: phone, ...bundle, return_query: carried() };
    const reply = await call<Checkout>('initiate-payment/', order);
    if (reply.ok) sales.ordered(reply.body.order_reference, reply.body.redirect_url);
    else refuse(choice, reply.problem);
  };
  onSubmit('pay-form', check, pay, text.checking);
}

/** The time is there at once; whether this phone is online is asked afterwards. Who has time already just connects. */
async function takeFree(phone: string, bundle: object, proof?: string): Promise<ConnectResult> {
  const reply = await call<FreeAccess>('free-access/', { phone_number: phone, ...bundle, proof });
  if (!reply.ok && reply.problem.code !== 'FREE_TAKEN') return refused(phone, reply.problem);
  const result = await connect(phone, proof);
  const isNothing = result.kind === 'unpaid' || result.kind === 'expired';
  return isNothing && !reply.ok ? { kind: 'unanswered', problem: reply.problem } : result;
}

function refuse(choice: HTMLInputElement, problem: Problem): void {
  if (problem.fields.indexOf('phone_number') >= 0) return mark('pay-phone', text.needPhone);
  notify('pay-notice', explain(problem));
  if (problem.code !== 'BUNDLE_UNAVAILABLE') return;
  radios.splice(radios.indexOf(choice), 1);
  cardOf(choice).remove();
  byId('pay').textContent = text.pay;
}
