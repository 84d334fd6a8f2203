/** Constant header lists, flat as `writeHead` takes them, so that a request costs one concatenation and no checks. */

const EVERYWHERE = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'] as const;

/** Replies of the API tell of people and money: no cache may keep them. */
const API = [...EVERYWHERE, 'Cache-Control', 'no-store'] as const;

export const JSON_HEADERS: readonly string[] = ['Content-Type', 'application/json', ...API];
/** RFC 8908. */
export const CAPTIVE_HEADERS: readonly string[] = ['Content-Type', 'application/captive+json', ...API];
export const TEXT_HEADERS: readonly string[] = ['Content-Type', 'text/plain; charset=utf-8', ...API];
export const CSV_HEADERS: readonly string[] = ['Content-Type', 'text/csv; charset=utf-8', ...API];
export const EVENTS_HEADERS: readonly string[] = ['Content-Type', 'text/event-stream', ...API];
export const BARE_HEADERS: readonly string[] = API;

/** Scripts and styles only from our own files, nothing inline, no framing. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS: readonly string[] = [
  'Content-Type',
  'text/html; charset=utf-8',
  ...EVERYWHERE,
  'Content-Security-Policy',
  PAGE_POLICY,
  'X-Frame-Options',
  'DENY',
];

export const ASSET_HEADERS: readonly string[] = EVERYWHERE;
