/** The prices, which are in the document: choosing a bundle and paying for it, or taking it where it is free. */
import type { Checkout } from '../../src/contract/payments.ts';
import { carried, remember } from './address.ts';
import { call } from './api.ts';
import { type ConnectResult, connect, thisPhone } from './connect.ts';
import { checkPhone, mark, notify, onSubmit, valueOf } from './form.ts';
import { byId } from './page.ts';
import { explain, fill, text } from './words.ts';

/** Where a sale leads. */
export interface Sales {
  ordered(order: string, checkout: string): void;
  free(result: ConnectResult): void;
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
    const { classList } = cardOf(radio);
    radio.addEventListener('change', showChoice);
    radio.addEventListener('focus', () => classList.toggle('focused', isKeyboardFocus(radio)));
    radio.addEventListener('blur', () => classList.remove('focused'));
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
    remember({ phone });
    const order = {
      phone_number: phone,
      bundle_id: Number(choice.value),
      ...thisPhone(),
      language: document.documentElement.lang,
    };
    const reply = isFree(choice)
      ? await call<{ redirect_url?: undefined }>('free-access/', order)
      : await call<Checkout>('initiate-payment/', { ...order, return_query: carried() });
    if (!reply.ok) {
      if (reply.problem.fields.indexOf('phone_number') >= 0) return mark('pay-phone', text.needPhone);
      notify('pay-notice', explain(reply.problem));
      if (reply.problem.code === 'BUNDLE_UNAVAILABLE') remove(choice);
      return;
    }
    if (reply.body.redirect_url) sales.ordered(reply.body.order_reference, reply.body.redirect_url);
    else sales.free(await connect(phone));
  };
  onSubmit('pay-form', check, pay, text.checking);
}

/** It is no longer for sale. */
function remove(radio: HTMLInputElement): void {
  radios.splice(radios.indexOf(radio), 1);
  cardOf(radio).remove();
  byId('pay').textContent = text.pay;
}
