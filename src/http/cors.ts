/** Cross-origin access for the configured frontends. Nobody else gets a CORS header. */
import type { IncomingHttpHeaders } from 'node:http';

export interface Cors {
  /** Flat header list for any reply to that request; empty where no frontend is configured. */
  headers(request: IncomingHttpHeaders): readonly string[];
  /** What the reply to an OPTIONS request says besides. @param allow the methods of the path, comma separated */
  preflight(request: IncomingHttpHeaders, allow: string): readonly string[];
}

const EXPOSED = 'X-Total-Count, Link, Retry-After';
const REQUEST_HEADERS = 'Authorization, Content-Type, X-Admin-Access, X-CSRFToken, X-Requested-With, If-Match';
const PREFLIGHT_MAX_AGE_SECONDS = '7200';

const NONE: readonly string[] = [];
const OTHER_ORIGIN: readonly string[] = ['Vary', 'Origin'];

/** @param origins as browsers send them: `https://shop.example`, without a trailing slash. */
export function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return { headers: () => NONE, preflight: () => NONE };
  const known = new Map<string, readonly string[]>(
    origins.map(origin => [
      origin,
      [
        ...OTHER_ORIGIN,
        'Access-Control-Allow-Origin',
        origin,
        // Nothing here is known by a cookie; but clients that always send them are refused by their browsers without this.
        'Access-Control-Allow-Credentials',
        'true',
        'Access-Control-Expose-Headers',
        EXPOSED,
      ],
    ]),
  );
  const headers = ({ origin }: IncomingHttpHeaders) =>
    (origin === undefined ? undefined : known.get(origin)) ?? OTHER_ORIGIN;
  return {
    headers,
    preflight(request, allow) {
      if (headers(request) === OTHER_ORIGIN) return NONE;
      return [
        'Access-Control-Allow-Methods',
        allow,
        'Access-Control-Allow-Headers',
        REQUEST_HEADERS,
        'Access-Control-Max-Age',
        PREFLIGHT_MAX_AGE_SECONDS,
      ];
    },
  };
}
