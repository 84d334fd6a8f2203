/**
 * The portal is one document for each language, with script, style and what is for sale inside: a phone on a slow
 * link has everything in one round trip.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type Resource, resourceOf, sendResource } from './resource.ts';
import type { Mount } from './router.ts';
import { PAGE_HEADERS, PAGE_POLICY } from './security-headers.ts';

export interface PortalPageOptions {
  /** The business's, for phones that ask for none of the portal's. */
  language: string;
  /** What `GET /portal/` and `GET /bundles/` would say now; the same object while nothing has changed. */
  facts: () => object;
}

/** @param folder holds `index.html` and the languages beside it, such as `sw.html` */
export function createPortalPage(folder: string, { language, facts }: PortalPageOptions): Mount['handle'] {
  const documents = new Map<string, (facts: string) => Promise<Resource>>();
  for (const name of readdirSync(folder).filter(file => file.endsWith('.html'))) {
    documents.set(basename(name, '.html'), documentOf(readFileSync(join(folder, name), 'utf8')));
  }
  const available = new Set(documents.keys());
  const fallback = available.has(language) ? language : 'index';
  let known: object | undefined;
  let text = '';
  return async (request, response, notFound) => {
    const document = documents.get(portalLanguage(request, available, fallback));
    if (document === undefined) return notFound();
    const latest = facts();
    if (latest !== known) text = JSON.stringify(latest);
    known = latest;
    sendResource(await document(text), request, response);
  };
}

/** Compressed off the main thread when prices or branding have changed; the first phone after that waits for it. */
function documentOf(html: string): (facts: string) => Promise<Resource> {
  const policy = policyWithInline(PAGE_POLICY, html);
  const headers = PAGE_HEADERS.map(header => (header === PAGE_POLICY ? policy : header));
  const shared = [...headers, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Language'];
  let known: string | null = null;
  let resource: Promise<Resource> | undefined;
  return facts => {
    if (resource === undefined || facts !== known) resource = compressed(withFacts(html, facts), shared);
    known = facts;
    return resource;
  };
}

async function compressed(html: string, headers: readonly string[]): Promise<Resource> {
  const identity = Buffer.from(html);
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  return resourceOf({ identity, br, gzip: gzipped }, headers);
}

/** Where a document waits for the facts; one that never gets them asks the API. */
const FACTS_PLACE = '<script type="application/json" id="facts">null</script>';

/** @param facts JSON */
export function withFacts(html: string, facts: string): string {
  // Inside a script element only `<` could end it.
  return html.replace(FACTS_PLACE, () => FACTS_PLACE.replace('null', () => facts.replaceAll('<', '\\u003c')));
}

/**
 * Lets run what the document holds, by its hash, and nothing else inline.
 * @param policy a policy with `script-src` and `style-src`
 */
export function policyWithInline(policy: string, html: string): string {
  return policy
    .replace("script-src 'self'", `script-src 'self'${hashes(html, 'script')}`)
    .replace("style-src 'self'", `style-src 'self'${hashes(html, 'style')}`);
}

/** Matches elements without attributes; a script with a type is data, to which the policy does not apply. */
function hashes(html: string, element: 'script' | 'style'): string {
  return [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))]
    .map(
      ([, content]) =>
        ` 'sha256-${createHash('sha256')
          .update(content ?? '')
          .digest('base64')}'`,
    )
    .join('');
}

/**
 * What the person chose (`?lang=`), else what the phone prefers (`Accept-Language`), else the business's language.
 * @param available language codes, such as `sw`
 */
export function portalLanguage(request: IncomingMessage, available: ReadonlySet<string>, fallback: string): string {
  const search = request.url?.split('?', 2)[1];
  const chosen = search === undefined ? '' : (new URLSearchParams(search).get('lang') ?? '');
  if (available.has(chosen)) return chosen;
  const preferred = preferences(request.headers['accept-language'] ?? '').find(code => available.has(code));
  return preferred ?? fallback;
}

/** `sw-TZ,en;q=0.8` → `sw`, `en`: the most wanted first, without regions. */
function preferences(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [range = '', quality] = part.trim().split(/\s*;\s*q\s*=\s*/, 2);
      return { code: range.split('-', 1)[0]?.toLowerCase() ?? '', quality: Number(quality ?? 1) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ code }) => code);
}
