/**
 * Request bodies: size limits, accepted types, parsing.
 *
 * `@polka/parse` collects the bytes, guarded by `readBytes` against what it gets wrong. It takes a body of another type
 * for `{}`: here it takes every type, and types are checked before. It turns bytes into text chunk by chunk: latin1
 * keeps every byte as it is. It calls back once per chunk past its limit and again at the end: nobody listens, and the
 * limit is kept here. What its parser throws it rewrites: JSON is parsed when it is done.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from '@polka/parse';
import type { Request as PolkaRequest } from 'polka';
import type { Accepted } from '../contract/endpoint.ts';
import { invalid, LangoError } from '../domain/errors.ts';

export const DEFAULT_BODY_LIMIT = 64 * 1_024;

/** What is still taken off the wire of a body that was refused, so that the client gets to read why. */
const DISCARDED_AT_MOST = 1_024 * 1_024;

/** Fields by name, as they came: text from a form, anything from JSON. Without a prototype, or plain JSON. */
export type Fields = Record<string, unknown>;

/** The client went away before its body was whole: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/**
 * Reads a body of fields. An empty body is `{}`; what is missing is the schema's to say.
 * @throws LangoError UNSUPPORTED_TYPE, PAYLOAD_TOO_LARGE, VALIDATION with `details.body`
 * @throws ClientGone
 */
export async function readFields(
  request: IncomingMessage,
  accepted: Accepted,
  limit = DEFAULT_BODY_LIMIT,
): Promise<Fields> {
  if (!hasBody(request)) return {};
  const kind = bodyKind(request, accepted);
  const text = decodeUtf8(await readBytes(request, limit));
  if (kind === 'form') return splitForm(text, 'body');
  return text === '' ? {} : parseJsonObject(text);
}

/**
 * Reads a body as the bytes that were sent, for signatures over them.
 * @throws LangoError PAYLOAD_TOO_LARGE
 * @throws ClientGone
 */
export function readBytes(request: IncomingMessage, limit = DEFAULT_BODY_LIMIT): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new LangoError('PAYLOAD_TOO_LARGE', `Send at most ${limit} bytes.`));
    let length = 0;
    request.on('data', (latin1: string) => {
      length += latin1.length;
      if (length > limit) refuse();
      if (length > limit + DISCARDED_AT_MOST) request.socket.destroy();
    });
    request.on('close', () => {
      if (!request.complete) reject(new ClientGone('the client left before its body was whole'));
    });
    if (declaredLength(request) > limit) refuse();
    // It measures latin1 as UTF-8: up to twice the bytes.
    const whole = (bits: string | Buffer) => resolve(Buffer.from(bits as string, 'latin1'));
    const collect = parse({ type: '', encoding: 'latin1', limit: 2 * limit, parser: whole });
    void collect(request as PolkaRequest, undefined as never, () => {});
  });
}

/**
 * Splits `a=1&b=2` into fields; of a repeated name the last counts.
 * @param field the name under which a fault is reported
 * @throws LangoError VALIDATION when an escape is not UTF-8
 */
export function splitForm(text: string, field: 'body' | 'query'): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  let from = 0;
  while (from < text.length) {
    let end = text.indexOf('&', from);
    if (end === -1) end = text.length;
    const equals = text.indexOf('=', from);
    const nameEnd = equals === -1 || equals > end ? end : equals;
    if (nameEnd > from) {
      fields[unescapeForm(text.slice(from, nameEnd), field)] = unescapeForm(text.slice(nameEnd + 1, end), field);
    }
    from = end + 1;
  }
  return fields;
}

function unescapeForm(text: string, field: 'body' | 'query'): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return invalid(field, 'Write percent escapes as UTF-8, for example %2B for a plus.');
  }
}

function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || declaredLength(request) > 0;
}

function declaredLength({ headers }: IncomingMessage): number {
  return headers['content-length'] === undefined ? 0 : Number(headers['content-length']);
}

const KINDS: ReadonlyMap<string, 'json' | 'form'> = new Map([
  ['application/json', 'json'],
  ['application/x-www-form-urlencoded', 'form'],
  // RouterOS scripts may leave the type away, or call it text; where forms are taken, such a body is one.
  ['', 'form'],
  ['text/plain', 'form'],
]);

function bodyKind({ headers }: IncomingMessage, accepted: Accepted): 'json' | 'form' {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  const kind = encoding === 'identity' ? (KINDS.get(type) ?? KINDS.get(withoutUtf8(type))) : undefined;
  if (kind === 'json' || (kind === 'form' && accepted === 'json-or-form')) return kind;
  const types = accepted === 'json' ? 'application/json' : 'application/json or application/x-www-form-urlencoded';
  throw new LangoError('UNSUPPORTED_TYPE', `Send the body as ${types}, in UTF-8, not compressed.`);
}

/** A content type in lower case, without parameters; one of another charset comes out as none that is known. */
function withoutUtf8(type: string): string {
  const [plain = '', ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map(parameter => parameter.trim()).find(parameter => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset) ? plain.trim() : charset;
}

/** Some editors and languages write one before JSON. */
const BYTE_ORDER_MARK = '\uFEFF';

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) invalid('body', 'Send text in UTF-8.');
  const text = bytes.toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parseJsonObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid('body', 'Send well-formed JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('body', 'Send a JSON object: {"field": value}.');
  }
  return value as Fields;
}
