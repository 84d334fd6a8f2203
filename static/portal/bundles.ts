/** The prices: choosing a bundle and paying for it. */
import type { BundleForSale } from '../../src/contract/bundles.ts';
import type { Checkout } from '../../src/contract/payments.ts';
import { carried, remember } from './address.ts';
import { call, type Reply } from './api.ts';
import { thisPhone } from './connect.ts';
import { checkPhone, mark, notify, onSubmit, valueOf } from './form.ts';
import { byId, element } from './page.ts';
import { explain } from './problems.ts';
import { duration, fill, money, moneyParts, text } from './words.ts';

/** Where a sale leads. */
export interface Sales {
  ordered(order: string, checkout: string): void;
  /** The list is out of date. */
  outdated(): void;
}

let chosen: BundleForSale | null = null;

/** Shows the prices, or says why there are none. */
export function showBundles(reply: Reply<BundleForSale[]>, reload: () => void): void {
  const list = byId('bundle-list');
  list.textContent = '';
  chosen = null;
  byId('pay').textContent = text.pay;
  // What stands below the prices came into sight with them, so that nothing ever jumps.
  document.body.classList.add('ready');
  const bundles = reply.ok ? reply.body.filter(bundle => bundle.is_active && bundle.price > 0) : [];
  const nothing = bundles.length === 0;
  byId('bundles').classList.toggle('empty', nothing);
  if (nothing) {
    const box = element('div', 'notice calm');
    const [happened, next] = reply.ok ? text.noBundles : text.noPrices;
    box.append(element('b', '', happened), next);
    const again = element('button', 'secondary', text.tryAgain);
    again.type = 'button';
    again.addEventListener('click', reload);
    box.append(again);
    list.append(box);
  }
  for (const bundle of bundles) list.append(card(bundle));
  const only = bundles.length === 1 ? list.querySelector('input') : null;
  if (only !== null) only.click();
}

function card(bundle: BundleForSale): HTMLElement {
  const label = element('label', 'bundle');
  const radio = element('input');
  radio.type = 'radio';
  radio.name = 'bundle';
  radio.required = true;
  radio.addEventListener('change', () => {
    chosen = bundle;
    for (const other of Array.from(document.querySelectorAll('.bundle'))) {
      other.classList.toggle('chosen', other === label);
    }
    byId('bundle-error').textContent = '';
    byId('pay').textContent = fill(text.payAmount, { price: money(bundle.price) });
  });
  radio.addEventListener('focus', () => label.classList.toggle('focused', isKeyboardFocus(radio)));
  radio.addEventListener('blur', () => label.classList.remove('focused'));
  const what = element('span', 'what');
  const about = bundle.description ? `${bundle.name} · ${bundle.description}` : bundle.name;
  what.append(element('b', '', duration(Math.round(bundle.duration_hours * 3600))), element('small', '', about));
  const price = element('span', 'price');
  for (const part of moneyParts(bundle.price)) price.append(part.currency ? element('i', '', part.text) : part.text);
  label.append(radio, what, price);
  return label;
}

function isKeyboardFocus(radio: HTMLElement): boolean {
  try {
    return radio.matches(':focus-visible');
  } catch {
    return true;
  }
}

export function setUpPaying(sales: Sales): void {
  const check = () => {
    const phone = checkPhone('pay-phone');
    byId('bundle-error').textContent = chosen === null ? text.needBundle : '';
    notify('pay-notice', null);
    if (chosen === null) {
      const first = document.querySelector<HTMLElement>('.bundle input');
      if (first !== null) first.id = 'first-bundle';
      return first === null ? 'pay-phone' : 'first-bundle';
    }
    return phone ? null : 'pay-phone';
  };
  const pay = async () => {
    const phone = valueOf('pay-phone');
    remember({ phone });
    const reply = await call<Checkout>('initiate-payment/', {
      phone_number: phone,
      bundle_id: (chosen as BundleForSale).id,
      ...thisPhone(),
      return_query: carried(),
      language: document.documentElement.lang,
    });
    if (reply.ok) return sales.ordered(reply.body.order_reference, reply.body.redirect_url);
    if (reply.problem.fields.indexOf('phone_number') >= 0) return mark('pay-phone', text.needPhone);
    notify('pay-notice', explain(reply.problem));
    if (reply.problem.code === 'BUNDLE_UNAVAILABLE') sales.outdated();
  };
  onSubmit('pay-form', check, pay, text.openingCheckout);
}
