import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Forms } from '../../src/contract/words.ts';
import { languages } from '../../static/portal/languages/index.ts';

const LANGUAGES = ['en', 'sw', 'fr', 'pt', 'es', 'ar', 'hi'];

/** Every text of a language by its path: `live.offline.0`. */
function texts(value: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, part] of Object.entries(value) as [string, unknown][]) {
    if (typeof part === 'string') found.set(path + key, part);
    else for (const [inner, text] of texts(part as object, `${path}${key}.`)) found.set(inner, text);
  }
  return found;
}

/** Plural forms differ in number from language to language; all else must be the same. */
function keys(value: object): string[] {
  const names = [...texts(value).keys()].map(name => name.replace(/\.(zero|one|two|few|many|other)$/, ''));
  return [...new Set(names)].toSorted();
}

test('every text is used', () => {
  const folder = join(import.meta.dirname, '../../static/portal');
  const files = readdirSync(folder).filter(name => /\.(ts|html)$/.test(name));
  const shared = ['src/contract/words.ts', 'src/http/portal-forms.ts'].map(name => join('../..', name));
  const sources = [...files, ...shared].map(name => readFileSync(join(folder, name), 'utf8')).join('\n');
  const { page, live } = languages.en ?? { page: {}, live: {} };
  assert.deepEqual(
    Object.keys(page).filter(name => !sources.includes(`{{${name}}}`)),
    [],
  );
  assert.deepEqual(
    Object.keys(live).filter(name => !new RegExp(`\\b(text|words)\\.${name}\\b`).test(sources)),
    [],
  );
});

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

test('there is one file for each language, and all are offered', () => {
  const files = readdirSync(join(import.meta.dirname, '../../static/portal/languages'));
  assert.deepEqual(files.toSorted(), [...LANGUAGES, 'index'].map(name => `${name}.ts`).toSorted());
  assert.deepEqual(Object.keys(languages), LANGUAGES);
});

for (const [code, language] of Object.entries(languages)) {
  test(`${code} has every text, none empty, with the same places to fill as English`, () => {
    const { en } = languages;
    assert.ok(en);
    assert.deepEqual(keys(language), keys(en));
    const own = texts(language);
    for (const [path, english] of texts(en)) {
      const text = own.get(path) ?? own.get(path.replace(/\.one$/, '.other'));
      assert.ok(text, path);
      // Where a form means one number only, the word may say it: "saa moja", "ساعتان".
      if (!/\.(one|two)$/.test(path)) assert.deepEqual(placeholders(text), placeholders(english), path);
    }
    for (const [path, text] of own) {
      assert.equal(text, text.trim().normalize('NFC'), path);
      assert.doesNotMatch(text, /TODO|XXX|[<>]/, path);
    }
  });

  test(`${code} has the plural forms that its grammar asks for`, () => {
    const { locale, seconds, minutes, hours, days, devicesLead } = language.live;
    const asked = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    // Whole numbers up to a few thousand never meet the forms for zero, millions or fractions in some of these.
    const met = new Set(Array.from({ length: 9_000 }, (_, n) => new Intl.PluralRules(locale).select(n + 1)));
    for (const forms of [seconds, minutes, hours, days, devicesLead] as Forms[]) {
      for (const form of Object.keys(forms)) assert.ok(asked.includes(form as Intl.LDMLPluralRule), form);
      const sameForAll = Object.keys(forms).length === 1;
      if (!sameForAll) for (const form of met) assert.ok(forms[form] ?? form === 'other', `${form} is missing`);
    }
  });

  test(`${code} is named in itself and not left in English`, () => {
    assert.equal(
      new Intl.DisplayNames(code, { type: 'language' }).of(code)?.toLowerCase(),
      language.name.toLowerCase(),
    );
    if (code === 'en') return;
    const english = texts(languages.en ?? {});
    const same = [...texts(language)].filter(([path, text]) => english.get(path) === text && /[a-z]{3}/i.test(text));
    assert.deepEqual(
      same.map(([path]) => path).filter(path => !/^(direction|.*\.minutes\..*)$/.test(path)),
      [],
    );
  });
}
