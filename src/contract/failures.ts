/** Bodies of failures. */
import * as v from 'valibot';

import type { ErrorShape } from './endpoint.ts';
import { flag, integer, maybe, text } from './values.ts';

/** Field name → what is wrong with it. */
const details = v.record(v.string(), v.array(v.string()));
/** Only where the router asks for admission. */
const authState = v.literal(0);

export const ProofKind = v.picklist(['order_reference', 'voucher_code', 'sms_code']);

export const ValidationError = v.object({
  error: text,
  message: maybe(text),
  details,
  success: maybe(v.literal(false)),
  'auth-state': maybe(authState),
});

export const GenericError = v.object({
  error: text,
  message: text,
  detail: maybe(text),
  code: maybe(text),
  /** With PROOF_REQUIRED: what would do as a proof. */
  proofs: maybe(v.array(ProofKind)),
  /** With REAUTHENTICATION_REQUIRED: whether a code is wanted as well. */
  second_factor: maybe(flag),
  /** With VOUCHER_LIMIT: how many more a cashier may make today. */
  vouchers_left: maybe(integer),
  details: maybe(details),
  request_id: maybe(text),
  success: maybe(flag),
  'auth-state': maybe(authState),
});

export const RouterError = v.object({
  success: v.literal(false),
  error: maybe(text),
  message: text,
  details: maybe(details),
  request_id: maybe(text),
});

export const VoucherError = v.object({
  success: v.literal(false),
  error: text,
  message: text,
  code: text,
  details: maybe(details),
});

/** The body of a refusal with that status, by the shape that its endpoint has. */
export function failureOf(status: number, shape: ErrorShape) {
  if (status === 400) return ValidationError;
  if (shape === 'router' && status !== 403) return RouterError;
  return shape === 'voucher' && status !== 403 ? VoucherError : GenericError;
}
