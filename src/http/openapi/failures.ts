/** Bodies of failures. See docs/interface.md: Errors. */
import { PROOF_KINDS } from '../../domain/proofs.ts';
import { exactly, flag, list, maybe, object, text, word } from './schemas.ts';

const details = {
  type: 'object',
  additionalProperties: { type: 'array', items: { type: 'string' } },
  description: 'Field name → what is wrong with it.',
};
const authState = { ...exactly(0), description: 'Only where the router asks for admission.' };

export const errorSchemas = {
  ValidationError: object({
    error: text,
    message: maybe(text),
    details,
    success: maybe(exactly(false)),
    'auth-state': maybe(authState),
  }),
  Error: object({
    error: text,
    message: text,
    detail: maybe(text),
    code: maybe(text),
    proofs: maybe({
      ...list(word(...PROOF_KINDS)),
      description: 'With PROOF_REQUIRED: what would do as a proof.',
    }),
    details: maybe(details),
    request_id: maybe(text),
    success: maybe(flag),
    'auth-state': maybe(authState),
  }),
  RouterError: object({
    success: exactly(false),
    error: maybe(text),
    message: text,
    details: maybe(details),
    request_id: maybe(text),
  }),
  VoucherError: object({ success: exactly(false), error: text, message: text, code: text, details: maybe(details) }),
};
