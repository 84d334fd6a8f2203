/** What all forms of the page share: errors beside the field, a notice above the button, one request at a time. */
import type { Notice } from '../../src/contract/words.ts';
import { byId, element } from './page.ts';
import { text } from './words.ts';

/** Shows what happened and what to do next; null takes the notice away. */
export function notify(id: string, notice: Notice | null, calm = false): void {
  const box = byId(id);
  box.textContent = '';
  box.classList.toggle('calm', calm);
  if (notice !== null) box.append(element('b', '', notice[0]), notice[1]);
}

/** @param problem null: the field is fine */
export function mark(id: string, problem: string | null): void {
  byId(id).setAttribute('aria-invalid', String(problem !== null));
  byId(`${id}-error`).textContent = problem;
}

export function valueOf(id: string): string {
  return byId<HTMLInputElement>(id).value.trim();
}

export function setValue(id: string, value: string): void {
  byId<HTMLInputElement>(id).value = value;
}

/** Could be a phone number: enough digits, in any script, and only what people write in one. The server decides. */
export function looksLikePhone(value: string): boolean {
  const digits = value.replace(/[\s().+/\u200e\u200f\u2010-\u2015-]/g, '');
  return /^[0-9\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]{7,17}$/.test(digits);
}

/**
 * @param check marks fields; returns the id of the first that needs attention, or null
 * @param send runs once at a time, however often the button is pressed
 */
export function onSubmit(formId: string, check: () => string | null, send: () => Promise<void>, busy: string): void {
  const form = byId<HTMLFormElement>(formId);
  const button = form.querySelector('button') as HTMLButtonElement;
  form.addEventListener('submit', async event => {
    event.preventDefault();
    const wrong = check();
    if (wrong !== null) return byId(wrong).focus();
    await whileBusy(button, busy, send);
  });
}

/** The button says what is going on until the work is done, and does not start it twice. */
export async function whileBusy(button: HTMLElement, busy: string, work: () => Promise<void>): Promise<void> {
  if (button.getAttribute('aria-busy') === 'true') return;
  const label = button.textContent;
  button.setAttribute('aria-busy', 'true');
  button.textContent = busy;
  await work();
  // The work may have given the button another label, such as another bundle's price.
  if (button.textContent === busy) button.textContent = label;
  button.removeAttribute('aria-busy');
}

export function checkPhone(id: string): boolean {
  const fine = looksLikePhone(valueOf(id));
  mark(id, fine ? null : text.needPhone);
  return fine;
}

const PHONE_FIELDS = ['pay-phone', 'voucher-phone'];

/** A number typed once is there in each form. */
export function fillPhone(phone: string, except = ''): void {
  for (const id of PHONE_FIELDS) if (id !== except) setValue(id, phone);
}

export function sharePhoneFields(): void {
  for (const id of PHONE_FIELDS) byId(id).addEventListener('input', () => fillPhone(valueOf(id), id));
}
