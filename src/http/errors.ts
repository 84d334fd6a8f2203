/** The one place that knows which status and body an error becomes. See docs/interface.md: Errors. */
import type { ErrorShape } from '../contract/endpoint.ts';
import { type ErrorCode, LangoError } from '../domain/errors.ts';
import type { Log } from '../domain/ports.ts';
import { json, type Reply, text } from './reply.ts';

/** Which request failed, for the log and for the client to quote. */
export interface FailedRequest {
  readonly id: string;
  readonly method: string;
  /** The route's pattern, never the path itself: paths carry phone numbers. */
  readonly path: string;
}

const STATUS: Record<ErrorCode, readonly [status: number, error: string]> = {
  VALIDATION: [400, 'Invalid request'],
  NOT_FOUND: [404, 'Not found'],
  CONFLICT: [409, 'Conflict'],
  FORBIDDEN: [403, 'Forbidden'],
  UNAUTHENTICATED: [403, 'Authentication required'],
  LOGIN_FAILED: [401, 'Login failed'],
  REAUTHENTICATION_REQUIRED: [403, 'Confirmation required'],
  RATE_LIMITED: [429, 'Too many requests'],
  PAYLOAD_TOO_LARGE: [413, 'Request too large'],
  UNSUPPORTED_TYPE: [415, 'Unsupported content type'],
  USER_BLOCKED: [403, 'User blocked'],
  BUNDLE_UNAVAILABLE: [404, 'Bundle unavailable'],
  FREE_TAKEN: [409, 'Free time taken'],
  DEVICE_NOT_REGISTERED: [404, 'Device not registered'],
  PROOF_REQUIRED: [403, 'Proof required'],
  SMS_UNAVAILABLE: [503, 'No SMS can be sent'],
  VOUCHER_INVALID: [404, 'Invalid voucher'],
  VOUCHER_USED: [409, 'Voucher already used'],
  VOUCHER_EXPIRED: [410, 'Voucher expired'],
  VOUCHER_REVOKED: [410, 'Voucher revoked'],
  VOUCHER_LIMIT: [409, 'Too many vouchers'],
  SHIFT_REQUIRED: [409, 'Shift required'],
  PAYMENT_FAILED: [402, 'Payment failed'],
  PAYMENT_PROVIDER_UNAVAILABLE: [502, 'Payment provider unavailable'],
  REFUND_NOT_ALLOWED: [409, 'Refund not allowed'],
  ROUTER_UNAVAILABLE: [503, 'Router unavailable'],
  ROUTER_REFUSED: [500, 'Router refused'],
  STORAGE_UNAVAILABLE: [503, 'Storage unavailable'],
  INTERNAL: [500, 'Internal error'],
};

/** Codes that a client may act upon wherever they appear, so their bodies name them in every shape. */
const NAMED_EVERYWHERE: ReadonlySet<ErrorCode> = new Set([
  'PROOF_REQUIRED',
  'SMS_UNAVAILABLE',
  'BUNDLE_UNAVAILABLE',
  'PAYMENT_FAILED',
  'PAYMENT_PROVIDER_UNAVAILABLE',
  'REFUND_NOT_ALLOWED',
  'REAUTHENTICATION_REQUIRED',
  'VOUCHER_LIMIT',
  'SHIFT_REQUIRED',
]);

/** What has nothing to do with the router is said to its clients as to all others. */
const HAVE_A_TITLE: ReadonlySet<ErrorCode> = new Set(['REAUTHENTICATION_REQUIRED', 'RATE_LIMITED']);

const UNEXPECTED = 'Something went wrong on our side. If it happens again, quote the request id to support.';

/**
 * @param plain the reply is the message alone (docs/rules.md: Plain text or JSON)
 * @returns the reply; what went wrong on our side is logged here with its cause, which no client ever sees
 */
export function errorReply(
  error: unknown,
  request: FailedRequest,
  options: { shape: ErrorShape; plain: boolean; log: Log },
): Reply {
  const known = error instanceof LangoError ? error : new LangoError('INTERNAL', UNEXPECTED, { cause: error });
  const [status, title] = STATUS[known.code];
  const internal = known.code === 'INTERNAL';
  if (status >= 500) {
    const fields = { requestId: request.id, method: request.method, path: request.path, code: known.code, err: error };
    if (internal || known.code === 'STORAGE_UNAVAILABLE') options.log.error(fields, 'request failed');
    else options.log.warn(fields, 'request refused by the world');
  }
  const message = internal ? UNEXPECTED : known.message;
  const headers = known.retryAfterSeconds === undefined ? [] : ['Retry-After', String(known.retryAfterSeconds)];
  if (options.plain) return text(status, plainText(known, message), headers);
  const body = errorBody(known, title, message, options.shape);
  return json(status, internal ? { ...body, request_id: request.id } : body, headers);
}

function errorBody(error: LangoError, title: string, message: string, shape: ErrorShape): Record<string, unknown> {
  const { code, details, facts } = error;
  if (code === 'VALIDATION') return { ...outcome(shape, code), error: message, message, details: details ?? {} };
  if (code === 'UNAUTHENTICATED' || code === 'FORBIDDEN') {
    return { ...outcome(shape, code), detail: message, error: title, message };
  }
  const named = shape === 'payment' || shape === 'voucher' || NAMED_EVERYWHERE.has(code);
  return {
    ...outcome(shape, code),
    ...(shape === 'router' && !HAVE_A_TITLE.has(code) ? {} : { error: title }),
    message,
    ...(named ? { code } : {}),
    ...facts,
    ...(details === undefined ? {} : { details }),
  };
}

/** The part of a body that says in one field that the action did not happen. */
function outcome(shape: ErrorShape, code: ErrorCode): Record<string, unknown> {
  if (shape === 'router-auth') return { 'auth-state': 0, success: false };
  const fromRouter = code === 'ROUTER_UNAVAILABLE' || code === 'ROUTER_REFUSED';
  return fromRouter || (shape !== 'api' && shape !== 'payment') ? { success: false } : {};
}

function plainText(error: LangoError, message: string): string {
  return error.details === undefined ? message : Object.values(error.details).flat().join(' ');
}
