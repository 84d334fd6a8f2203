/** Plain text or JSON, for the endpoints that the router calls itself. See docs/rules.md: Plain text or JSON. */
import type { IncomingHttpHeaders } from 'node:http';

/** True when the request's body is JSON or `Accept` names `application/json`. Never by user agent. */
export function wantsJson(headers: IncomingHttpHeaders): boolean {
  return names(headers['content-type']) || names(headers.accept);
}

function names(header: string | undefined): boolean {
  return header?.toLowerCase().includes('application/json') ?? false;
}
