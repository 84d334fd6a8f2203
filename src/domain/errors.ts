/**
 * The one error class of the business. Its code says what went wrong; only `http/errors`
 * knows which status and body a code becomes, and only a log ever sees the cause.
 */

export type ErrorCode =
  | 'VALIDATION'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'FORBIDDEN'
  | 'UNAUTHENTICATED'
  | 'LOGIN_FAILED'
  | 'REAUTHENTICATION_REQUIRED'
  | 'RATE_LIMITED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_TYPE'
  | 'USER_BLOCKED'
  | 'BUNDLE_UNAVAILABLE'
  | 'FREE_TAKEN'
  | 'DEVICE_NOT_REGISTERED'
  | 'PROOF_REQUIRED'
  | 'SMS_UNAVAILABLE'
  | 'VOUCHER_INVALID'
  | 'VOUCHER_USED'
  | 'VOUCHER_EXPIRED'
  | 'VOUCHER_REVOKED'
  | 'VOUCHER_LIMIT'
  | 'SHIFT_REQUIRED'
  | 'PAYMENT_FAILED'
  | 'PAYMENT_PROVIDER_UNAVAILABLE'
  | 'REFUND_NOT_ALLOWED'
  | 'ROUTER_UNAVAILABLE'
  | 'ROUTER_REFUSED'
  | 'STORAGE_UNAVAILABLE'
  | 'INTERNAL';

/** Field name → the messages about it, as the interface's validation shape wants them. */
export type FieldProblems = Record<string, string[]>;

export type Facts = Readonly<Record<string, boolean | number | readonly string[]>>;

export interface LangoErrorOptions {
  details?: FieldProblems | undefined;
  /** Seconds after which the same request may be tried again. */
  retryAfterSeconds?: number | undefined;
  /** Fields of the body beside the code, for a client to act upon. */
  facts?: Facts | undefined;
  cause?: unknown;
}

export class LangoError extends Error {
  override readonly name = 'LangoError';
  readonly code: ErrorCode;
  readonly details: FieldProblems | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly facts: Facts | undefined;

  /** @param message said to the client as it stands: a full sentence, no secrets, says the fix. */
  constructor(code: ErrorCode, message: string, options: LangoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.facts = options.facts;
  }
}

/** A validation failure about one field. @throws always */
export function invalid(field: string, message: string): never {
  throw new LangoError('VALIDATION', 'Some fields need attention.', { details: { [field]: [message] } });
}

/** A refusal that is said of the whole request, and of the field that caused it. @throws always */
export function refuseField(code: ErrorCode, field: string, message: string): never {
  throw new LangoError(code, message, { details: { [field]: [message] } });
}

/** @throws LangoError NOT_FOUND there is none */
export function found<Item>(item: Item | null, what: string): Item {
  if (item === null) throw new LangoError('NOT_FOUND', `There is no ${what} with this id.`);
  return item;
}

/** The message of an error, or the value itself as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
