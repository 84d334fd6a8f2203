/** The appliance's public API, as far as the portal needs it. See docs/interface.md. */
import type { Problem as Refusal } from '../../src/contract/words.ts';
import { setServerTime } from '../shared/clock.ts';

export interface Problem extends Refusal {
  /** What would prove that the number is the asker's own; empty where that is not the matter. */
  proofs: readonly string[];
}

export type Reply<T> = { ok: true; body: T } | { ok: false; problem: Problem };

const TIMEOUT_MS = 20_000;

/**
 * Never rejects and never takes longer than `TIMEOUT_MS`.
 * @param body sent as JSON by POST; without one the call is a GET
 */
export async function call<T>(path: string, body?: object): Promise<Reply<T>> {
  const tooLate = new Promise<never>((_, reject) => setTimeout(reject, TIMEOUT_MS));
  let response: Response | undefined;
  try {
    response = await Promise.race([ask(path, body), tooLate]);
    setServerTime(response.headers.get('Date'));
    const said = await Promise.race([response.json(), tooLate]);
    return response.ok ? { ok: true, body: said } : { ok: false, problem: problemOf(response, said) };
  } catch {
    // An error without JSON comes from something in between: a broken server. Success without JSON is no answer.
    const answered = response !== undefined && !response.ok;
    return { ok: false, problem: problemOf(answered ? (response as Response) : null, null) };
  }
}

function ask(path: string, body?: object): Promise<Response> {
  if (body === undefined) return fetch(`api/${path}`);
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function problemOf(
  response: Response | null,
  body: { code?: unknown; details?: object; proofs?: string[] } | null,
): Problem {
  return {
    status: response === null ? 0 : response.status,
    code: body !== null && typeof body.code === 'string' ? body.code : '',
    fields: body !== null && body.details ? Object.keys(body.details) : [],
    proofs: (body !== null && body.proofs) || [],
    retryAfter: response === null ? 0 : Number(response.headers.get('Retry-After')) || 0,
  };
}
