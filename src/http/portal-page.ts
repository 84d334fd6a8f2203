/**
 * The portal is one document for each language, with script, style and what is for sale inside: a phone on a slow
 * link has everything in one round trip, and one without scripts has all it needs.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import type { PortalFacts } from '../contract/portal.ts';
import type { FormKeys } from './form-keys.ts';
import { type OpenEnded, openEnded } from './open-ended.ts';
import { fillDocument, type Personal, type PortalDocument, type PortalWords } from './portal-document.ts';
import { type Resource, resourceOf, sendResource } from './resource.ts';
import type { Mount } from './router.ts';
import { PAGE_HEADERS, PAGE_POLICY } from './security-headers.ts';

export interface PortalPageOptions {
  /** The business's, for phones that ask for none of the portal's. */
  language: string;
  /** What `GET /portal/` and `GET /bundles/` would say now; the same object while nothing has changed. */
  facts: () => PortalFacts;
  /** What comes of a form that is sent without scripts, in the words of a language. Never throws. */
  answer: (request: IncomingMessage, words: PortalWords, facts: PortalFacts) => Promise<Personal>;
  formKeys: Pick<FormKeys, 'keyFor'>;
}

/** @param folder holds `index.html`, the languages beside it, such as `sw.html`, and the words of each, `sw.json` */
export function createPortalPage(folder: string, options: PortalPageOptions): Mount['handle'] {
  const { language, facts, answer, formKeys } = options;
  const documents = new Map(readDocuments(folder).map(([code, document]) => [code, cached(document)]));
  const available = new Set(documents.keys());
  const fallback = available.has(language) ? language : 'index';
  return async (request, response, notFound) => {
    const document = documents.get(portalLanguage(request, available, fallback));
    if (document === undefined) return notFound();
    if (request.method === 'POST') {
      const personal = await answer(request, document.words, facts());
      const latest = facts();
      const html = fillDocument(document, latest, personal) + keysInForms(formKeys.keyFor(request));
      // The policy is that of the page for everybody: nothing that a person sends is ever allowed by it.
      const { headers } = await document.page(latest, false);
      // Of one person, so it is neither kept nor compressed: strangers cause it.
      response.writeHead(200, [...headers, 'Cache-Control', 'no-store']).end(html);
      return;
    }
    const { resource, close } = await document.page(facts(), addressParameter(request, 'order') !== null);
    sendResource(resource, request, response, encoding => close(encoding, keysInForms(formKeys.keyFor(request))));
  };
}

/** The forms of `portal/index.html`, by their ids. */
const FORMS = ['pay-form', 'voucher-form', 'find-form', 'order-form'];

/** The end of the document, the one part of it that each phone has for itself: a hidden field for each form. */
export const keysInForms = (key: string): string =>
  FORMS.map(form => `<input type=hidden form=${form} name=key value=${key}>`).join('');

function readDocuments(folder: string): [code: string, document: PortalDocument][] {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return readdirSync(folder)
    .filter(name => name.endsWith('.html'))
    .map(name => basename(name, '.html'))
    .map(code => [code, { html: read(`${code}.html`), words: JSON.parse(read(`${code}.json`)) as PortalWords }]);
}

interface CachedDocument extends PortalDocument {
  /** @param isAboutOrder the address names one, as it does on the way back from the checkout */
  page(facts: PortalFacts, isAboutOrder: boolean): Promise<Page>;
}

/** The same for every phone, but for its end. */
interface Page extends Pick<OpenEnded, 'close'> {
  resource: Resource;
  headers: readonly string[];
}

/** Compressed off the main thread when prices or branding have changed; the first phone after that waits for it. */
function cached(document: PortalDocument): CachedDocument {
  const pages = new Map<boolean, Promise<Page>>();
  let known: PortalFacts | undefined;
  let text = '';
  return {
    ...document,
    page(facts, isAboutOrder) {
      // Other facts are often the same again: every commit makes new ones.
      if (facts !== known) {
        const latest = JSON.stringify(facts);
        if (latest !== text) pages.clear();
        text = latest;
        known = facts;
      }
      const personal = isAboutOrder ? { order: { reference: '' } } : {};
      const page = pages.get(isAboutOrder) ?? compressed(fillDocument(document, facts, personal));
      pages.set(isAboutOrder, page);
      return page;
    },
  };
}

async function compressed(html: string): Promise<Page> {
  const { start, close } = await openEnded(html);
  const policy = policyWithInline(PAGE_POLICY, html);
  const headers = PAGE_HEADERS.map(header => (header === PAGE_POLICY ? policy : header));
  const shared = [...headers, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Language'];
  return { resource: resourceOf(start, shared), headers, close };
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

/** The query of the address, without `?`. */
export const queryOf = (request: IncomingMessage): string => request.url?.split('?', 2)[1] ?? '';

/** A value of that query; `NAME-esc` (RouterOS's escaped variables) counts as NAME. */
export function addressParameter(request: IncomingMessage, name: string): string | null {
  const query = new URLSearchParams(queryOf(request));
  return query.get(name) || query.get(`${name}-esc`) || null;
}

/**
 * What the person chose (`?lang=`), else what the phone prefers (`Accept-Language`), else the business's language.
 * @param available language codes, such as `sw`
 */
export function portalLanguage(request: IncomingMessage, available: ReadonlySet<string>, fallback: string): string {
  const chosen = addressParameter(request, 'lang') ?? '';
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
