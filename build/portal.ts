/**
 * Builds the portal: one document for each language with everything in it, because each further file costs a phone
 * on a slow link another round trip. The appliance fills in what it sells (`http/portal-document`). Script and style are the same in all of them, so one policy of hashes fits all.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Language } from '../static/portal/language.ts';
import { languages } from '../static/portal/languages/index.ts';
import { root } from './target.ts';

const source = join(root, 'static/portal');

/** What the captive-network windows of old phones can do. */
const SCRIPT_TARGET = 'es2017';
const STYLE_TARGET = ['chrome61', 'firefox60', 'safari11'];

export interface PortalDocument {
  /** The language's code, as in `?lang=` and in the document's `lang`. */
  code: string;
  html: string;
  /** JSON: what the appliance says in it by itself. */
  words: string;
}

/** The names of the live texts, shortened alike in script and JSON: spelt out they would cost every phone 350 bytes. */
const LIVE_NAMES = new RegExp(
  `^(${Object.values(languages)
    .flatMap(({ live }) => Object.keys(live))
    .join('|')})$`,
);

export async function buildPortalDocuments(): Promise<PortalDocument[]> {
  const [template, style, early, script] = await Promise.all([
    readFile(join(source, 'index.html'), 'utf8'),
    bundle('portal.css'),
    bundle('early.ts'),
    bundle('portal.ts'),
  ]);
  const page = template.replace(/<!--.*?-->/gs, '').replace(/\n\s*/g, '\n');
  return Object.entries(languages).map(([code, language]) => ({
    code,
    html: fillIn(page, code, language, {
      style: style.code,
      early: early.code,
      script: script.code,
      live: liveTexts(language, script.names),
    }),
    words: JSON.stringify(language.live),
  }));
}

/** @returns also the short names, by the long ones */
async function bundle(entry: string): Promise<{ code: string; names: Readonly<Record<string, string | false>> }> {
  const { outputFiles, mangleCache } = await build({
    entryPoints: [join(source, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: entry.endsWith('.css') ? STYLE_TARGET : SCRIPT_TARGET,
    charset: 'utf8',
    write: false,
    logLevel: 'warning',
    mangleProps: LIVE_NAMES,
    mangleCache: {},
  });
  return { code: (outputFiles[0]?.text ?? '').trim(), names: mangleCache };
}

/** In the template `{{name}}` is a text, and `{{{name}}}` markup or code that was made here. */
function fillIn(template: string, code: string, language: Language, parts: Readonly<Record<string, string>>): string {
  const texts: Readonly<Record<string, string>> = {
    ...language.page,
    code,
    name: language.name,
    direction: language.direction,
  };
  const raw: Readonly<Record<string, string>> = {
    ...parts,
    languageLinks: languageLinks(code),
  };
  return template
    .replace(/\{\{(\w+)\}\}(?!\})/g, (_, name: string) => withPlaces(escapeHtml(known(texts, name))))
    .replace(/\{\{\{(\w+)\}\}\}/g, (_, name: string) => known(raw, name));
}

/** What a text leaves open is the appliance's to fill; a phone number keeps its own order in any script. */
function withPlaces(text: string): string {
  return text.replace(/\{(\w+)\}/g, '<bdi><%$1%></bdi>');
}

/** JSON, under the names that the script knows; what the appliance alone says stays away. */
function liveTexts({ live }: Language, names: Readonly<Record<string, string | false>>): string {
  const named = Object.entries(live).flatMap(([name, text]) => (names[name] ? [[names[name], text]] : []));
  // Inside a script element only `<` could end it.
  return JSON.stringify(Object.fromEntries(named)).replaceAll('<', '\\u003c');
}

function known(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name];
  if (value === undefined) throw new Error(`The portal's template names {{${name}}}, which no language has.`);
  return value;
}

function languageLinks(current: string): string {
  return Object.entries(languages)
    .map(([code, { name, direction }]) => {
      const here = code === current ? ' aria-current="true"' : '';
      return `<li><a href="?lang=${code}" lang="${code}" dir="${direction}"${here}>${escapeHtml(name)}</a></li>`;
    })
    .join('');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
}
