/** Small answers that several drivers give in the same words. */
import type { Phone } from '../domain/phone.ts';
import type { PaymentState, RefundAnswer, Verification } from '../domain/ports.ts';
import { isWebAddress } from '../outbound/reach.ts';

/** A verification with a state and nothing else known. */
export function withoutDetails(state: PaymentState): Verification {
  return { state, amount: null, paymentReference: null, transactionId: null, channel: null, payerPhone: null };
}

export function refundRejected(message: string | null): RefundAnswer {
  return { outcome: 'rejected', reference: null, message };
}

/** @param message what staff must do before it can go on, if anything */
export function refundPending(reference: string | null, message: string | null = null): RefundAnswer {
  return { outcome: 'pending', reference, message };
}

/** A refund that staff must make at the provider. */
export function refundByHand(message: string): RefundAnswer {
  return { outcome: 'manual', reference: null, message };
}

/** The text when it is an address that a browser may be sent to, else null. */
export function webAddress(text: string | null): string | null {
  return text !== null && isWebAddress(text) ? text : null;
}

/** `+255712345678` → `255712345678` */
export function phoneDigits(phone: Phone): string {
  return phone.slice(1);
}

/** People of a hotspot have a phone and no e-mail; some providers insist on one. */
export function standInEmail(phone: Phone, domain: string): string {
  return `${phoneDigits(phone)}@${domain}`;
}
