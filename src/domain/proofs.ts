/** Proofs that somebody is the person whose number they give: something that only a payer can know. */
import { isOrderReference } from './orders.ts';
import { stripSeparators } from './phone.ts';
import { isSameText } from './same-text.ts';
import type { Policy } from './transaction.ts';
import { parseVoucherCode } from './vouchers.ts';

/**
 * `order_reference`: of a completed payment, ours or the provider's as its own message shows it.
 * `voucher_code`: one that the person used. `sms_code`: one that was just sent to the number.
 */
export const PROOF_KINDS = ['order_reference', 'voucher_code', 'sms_code'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** The kinds of proof that this appliance accepts; the same for everybody. */
export function acceptedProofs({ smsEnabled }: Policy): ProofKind[] {
  return PROOF_KINDS.filter(kind => kind !== 'sms_code' || smsEnabled);
}

export interface ProofReads {
  /** References of the person's completed payments and the voucher codes that they used, newest first of each. */
  ofUser(userId: number): string[];
}

/** Shorter ones, which a sandbox or a careless provider gives out, would be guessed. */
const SHORTEST = 6;

/** Case, spaces and dashes count for nothing. */
export function isAmong(known: readonly string[], text: string): boolean {
  const given = compared(text);
  if (given.length < SHORTEST) return false;
  // No early return: the time taken must not reveal which proof nearly matched.
  return known.reduce((found, one) => isSameText(compared(one), given) || found, false);
}

/** Our own references and codes are too long to guess; a provider's may be numbered. */
export function isBeyondGuessing(text: string): boolean {
  return isOrderReference(compared(text)) || parseVoucherCode(text) !== null;
}

function compared(text: string): string {
  return stripSeparators(text).toUpperCase();
}
