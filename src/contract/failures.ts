/** Bodies of failures. */
import * as v from 'valibot';

import type { ErrorShape } from './endpoint.ts';
import * as value from './values.ts';

const details = v.pipe(v.record(v.string(), v.array(v.string())), v.description('Field name → what is wrong with it.'));
const authState = v.pipe(v.literal(0), v.description('Only where the router asks for admission.'));

export const ProofKind = v.picklist(['order_reference', 'voucher_code', 'sms_code']);

export const ValidationError = v.object({
  error: value.string,
  message: value.optional(value.string),
  details,
  success: value.optional(v.literal(false)),
  'auth-state': value.optional(authState),
});

export const GenericError = v.object({
  error: value.string,
  message: value.string,
  detail: value.optional(value.string),
  code: value.optional(value.string),
  proofs: value.optional(v.pipe(v.array(ProofKind), v.description('With PROOF_REQUIRED: what would do as a proof.'))),
  second_factor: value.optional(
    v.pipe(value.boolean, v.description('With REAUTHENTICATION_REQUIRED: whether a code is wanted as well.')),
  ),
  vouchers_left: value.optional(
    v.pipe(value.integer, v.description('With VOUCHER_LIMIT: how many more a cashier may make today.')),
  ),
  details: value.optional(details),
  request_id: value.optional(value.string),
  success: value.optional(value.boolean),
  'auth-state': value.optional(authState),
});

export const RouterError = v.object({
  success: v.literal(false),
  error: value.optional(value.string),
  message: value.string,
  details: value.optional(details),
  request_id: value.optional(value.string),
});

export const VoucherError = v.object({
  success: v.literal(false),
  error: value.string,
  message: value.string,
  code: value.string,
  details: value.optional(details),
});

/** The body of a refusal with that status, by the shape that its endpoint has. */
export function failureOf(status: number, shape: ErrorShape) {
  if (status === 400) return ValidationError;
  if (shape === 'router' && status !== 403) return RouterError;
  return shape === 'voucher' && status !== 403 ? VoucherError : GenericError;
}
