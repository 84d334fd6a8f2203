/** Talks with Lango's API. Every failure is an `ApiError` whose message says what to do. */
import { setServerTime } from '../../shared/clock.ts';
import { many, words } from './format.ts';
import { answered, promptOf } from './prompts.ts';
import { forgetSession, session } from './session.ts';

const ROOT = '/api';
const TIMEOUT_MS = 30_000;

export class ApiError extends Error {
  /** HTTP status; 0: no answer came. */
  readonly status: number;
  /** What to change, by field. */
  readonly details: Readonly<Record<string, readonly string[]>>;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, status: number, body: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = body;
    this.details = (body['details'] as Record<string, string[]> | undefined) ?? {};
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `/admin/users/` and `{search: '0712'}` → `/admin/users/?search=0712`; what is empty is left out. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

export const get = <Reply>(path: string, signal?: AbortSignal) => call<Reply>('GET', path, undefined, signal);
export const post = <Reply>(path: string, body: unknown = {}) => call<Reply>('POST', path, body);
export const put = <Reply>(path: string, body: unknown) => call<Reply>('PUT', path, body);
export const remove = <Reply>(path: string) => call<Reply>('DELETE', path);

/** @throws ApiError; an AbortError when the signal says so */
async function call<Reply>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Reply> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const init = { method, ...content, ...(signal === undefined ? {} : { signal }) };
  const response = await request(path, init, TIMEOUT_MS);
  const reply = (await response.json().catch(() => ({}))) as Reply & { timestamp?: unknown };
  if (typeof reply.timestamp === 'string') setServerTime(reply.timestamp);
  return reply;
}

export interface RowPage<Row> {
  rows: Row[];
  /** Of the whole list. */
  total: number;
}

/** A page of an interface list that is a bare array, with its length from the headers. */
export async function getPage<Row>(path: string, signal?: AbortSignal): Promise<RowPage<Row>> {
  const response = await request(path, signal === undefined ? {} : { signal });
  const rows = (await response.json()) as Row[];
  return { rows, total: Number(response.headers.get('X-Total-Count') ?? rows.length) };
}

/** Hands a file of the API to the browser's downloads; a plain link could not carry the token. */
export async function download(path: string, name: string): Promise<void> {
  const response = await request(path, {});
  const address = URL.createObjectURL(await response.blob());
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TIMEOUT_MS);
}

/**
 * The response, its body unread. A refusal that the user can resolve opens a dialog; the request is then sent again.
 * @param timeoutMs of each try; left out: no timeout
 * @throws ApiError when it is a refusal
 */
export async function request(path: string, init: RequestInit, timeoutMs?: number): Promise<Response> {
  const token = session.get()?.token;
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  const limits = [init.signal, timeoutMs !== undefined && AbortSignal.timeout(timeoutMs)];
  const signal = AbortSignal.any(limits.filter(limit => limit instanceof AbortSignal));
  const response = await fetch(ROOT + path, { ...init, headers, signal, credentials: 'omit' }).catch(
    (error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ApiError('No answer from Lango. Check that this device is on its network, then try again.', 0);
    },
  );
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const prompt = promptOf(body);
  if (prompt !== null && (await answered(prompt))) return request(path, init, timeoutMs);
  const refusal = new ApiError(explain(response, body), response.status, body);
  const isStale = response.status === 403 && body['error'] === 'Authentication required';
  if (isStale && token !== undefined && token === session.get()?.token) {
    forgetSession('Your login has ended. Log in again to go on where you were.');
  }
  throw refusal;
}

/** What is wrong with which fields, for where they are not shown. */
export const sayProblems = (details: ApiError['details']): string =>
  Object.entries(details)
    .map(([name, messages]) => (name === 'body' ? messages : [`${words(name)}:`, ...messages]).join(' '))
    .join(' ');

function explain(response: Response, body: Record<string, unknown>): string {
  // A limit that has a code of its own says itself what it is and when it ends.
  if (response.status === 429 && body['code'] === undefined) {
    const seconds = Number(response.headers.get('Retry-After') ?? 60);
    return `Too many tries. Wait ${many(seconds, 'second')}, then try again.`;
  }
  // The message of a refusal for its fields does not name them.
  const problems = response.status === 400 ? sayProblems((body['details'] ?? {}) as ApiError['details']) : '';
  const said = problems || (body['message'] ?? body['error']);
  const message = typeof said === 'string' ? said : `Lango answered ${response.status}. Try again.`;
  const id = body['request_id'];
  return typeof id === 'string' ? `${message} Request ${id}.` : message;
}
