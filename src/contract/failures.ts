/** Bodies of failures. */
import * as v from 'valibot';

import type { ErrorShape } from './endpoint.ts';
import { flag, integer, maybe, text } from './values.ts';

const details = v.pipe(v.record(v.string(), v.array(v.string())), v.description('Field name → what is wrong with it.'));
const authState = v.pipe(v.literal(0), v.description('Only where the router asks for admission.'));

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
  proofs: maybe(v.pipe(v.array(ProofKind), v.description('With PROOF_REQUIRED: what would do as a proof.'))),
  second_factor: maybe(
    v.pipe(flag, v.description('With REAUTHENTICATION_REQUIRED: whether a code is wanted as well.')),
  ),
  vouchers_left: maybe(v.pipe(integer, v.description('With VOUCHER_LIMIT: how many more a cashier may make today.'))),
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
