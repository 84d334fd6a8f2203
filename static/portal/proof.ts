/** Asks for a proof that the number is the person's own. One field takes every kind of proof. */
import { call } from './api.ts';
import type { ConnectResult } from './connect.ts';
import { mark, notify, onSubmit, setValue, valueOf, whileBusy } from './form.ts';
import { byId, show } from './page.ts';
import { explain, text } from './words.ts';

/** The kinds of proof; the hint about each kind has the kind as its id in the page. */
const KINDS = ['order_reference', 'voucher_code', 'sms_code'];

let phone = '';
let tryWith: (proof: string) => Promise<ConnectResult>;

/** @param attempt what was refused without proof */
export function askForProof(
  unproven: Extract<ConnectResult, { kind: 'unproven' }>,
  attempt: (proof: string) => Promise<ConnectResult>,
): void {
  phone = unproven.phone;
  tryWith = attempt;
  setValue('proof', '');
  mark('proof', null);
  notify('proof-notice', null);
  notify('devices-notice', null);
  byId('device-list').textContent = '';
  for (const kind of KINDS) byId(kind).hidden = unproven.proofs.indexOf(kind) < 0;
  byId('proof-form').hidden = false;
  show('devices', 'barred', text.proofTitle, text.proofLead);
}

/** @param found where a proof that fits leads */
export function setUpProof(found: (result: ConnectResult) => void): void {
  const check = () => {
    const typed = valueOf('proof') !== '';
    mark('proof', typed ? null : text.proofLead);
    notify('proof-notice', null);
    return typed ? null : 'proof';
  };
  const prove = async () => {
    const result = await tryWith(valueOf('proof'));
    if (result.kind === 'unproven') mark('proof', text.proofWrong);
    else if (result.kind === 'unanswered') notify('proof-notice', explain(result.problem));
    else found(result);
  };
  onSubmit('proof-form', check, prove, text.checking);
  const button = byId('sms_code');
  const sendCode = async () => {
    const sent = await call('devices/proof/', { phone_number: phone });
    notify('proof-notice', sent.ok ? text.codeSent : explain(sent.problem), sent.ok);
    if (sent.ok) byId('proof').focus();
  };
  button.addEventListener('click', () => whileBusy(button, text.checking, sendCode));
}
