/** The portal is one document for each language, with its script and style inside: which one, and under what policy. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Lets run what the document holds, by its hash, and nothing else inline.
 * @param policy a policy with `script-src` and `style-src`
 */
export function policyWithInline(policy: string, html: string): string {
  return policy
    .replace("script-src 'self'", `script-src 'self'${hashes(html, 'script')}`)
    .replace("style-src 'self'", `style-src 'self'${hashes(html, 'style')}`);
}

/** Of elements without attributes: a script with a type is data, which no policy concerns. */
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
  const search = new URLSearchParams(request.url?.split('?', 2)[1]);
  const chosen = search.get('lang') ?? '';
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
