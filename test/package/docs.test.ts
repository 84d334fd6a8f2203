/** The documents keep to the program: what they describe is there, and what is cited of them too. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { JsonSchema } from '../../src/contract/fields.ts';
import { endpoints } from '../../src/contract/index.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const interfacePage = read('docs/interface.md');

/** Headings without their numbers, as comments cite them. */
const headings = (page: string): Set<string> =>
  new Set([...page.matchAll(/^#+ (?:\d+\. )?(.+)$/gm)].map(([, heading = '']) => heading));

test('docs/interface.md has every endpoint, and none that is not there', () => {
  const described = [...interfacePage.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`]*\/)`/g)].map(([, name = '']) => name);
  const served = endpoints.map(
    ({ method, path }) => `${method} ${[path].flat()[0]?.replaceAll(/:([a-z_]+)/g, '{$1}')}`,
  );
  const isAlias = (name: string) => !served.includes(name) && served.includes(name.replace(' /', ' /admin/'));
  assert.deepEqual(described.filter(name => !isAlias(name)).toSorted(), served.toSorted());
});

test('docs/interface.md names every field of the replies', () => {
  const words = new Set(interfacePage.match(/[\w-]+/g));
  const schemas = endpoints.map(({ reply }) => toJsonSchema(reply, { typeMode: 'input', errorMode: 'ignore' }));
  const missing = new Set(schemas.flatMap(schema => fieldsOf({ ...schema })).filter(field => !words.has(field)));
  assert.deepEqual([...missing], []);
});

function fieldsOf(schema: JsonSchema): string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const parts = [schema['items'], ...((schema['anyOf'] ?? []) as JsonSchema[])].filter(part => part !== undefined);
  return [
    ...properties.flatMap(([name, inner]) => [name, ...fieldsOf(inner)]),
    ...parts.flatMap(part => fieldsOf(part as JsonSchema)),
  ];
}

test('what comments cite of the documents is a section there, and nothing else is cited', () => {
  const known = { interface: headings(interfacePage), rules: headings(read('docs/rules.md')) };
  const wrong: string[] = [];
  for (const path of globSync(['{src,test,scripts,build,static}/**/*.{ts,css,html,sh}'], { cwd: root })) {
    if (path.startsWith('build/out/') || path.endsWith('docs.test.ts')) continue;
    const text = read(path);
    for (const [, page = '', names = ''] of text.matchAll(/docs\/(interface|rules)\.md: ([A-Z][^.;*)\n]*)/g)) {
      const sections = known[page as keyof typeof known];
      wrong.push(
        ...names
          .trim()
          .split(', ')
          .filter(name => !sections.has(name))
          .map(name => `${path}: ${name}`),
      );
    }
    if (/\b[Dd]ecisions?(?:, section|:) \d|\b[Ii]nterface: ["`]/.test(text))
      wrong.push(`${path}: a page that is not here`);
  }
  assert.deepEqual(wrong, []);
});

test('the pictures that the documents show are there, none besides, and all of them are small', () => {
  const shown = [...`${read('README.md')}${read('docs/pictures.md')}`.matchAll(/pictures\/([\w-]+\.webp)/g)];
  const kept = globSync('docs/pictures/*', { cwd: root });
  assert.deepEqual(
    kept.map(path => basename(path)).toSorted(),
    [...new Set(shown.map(([, name = '']) => name))].toSorted(),
  );
  const bytes = kept.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  assert.ok(bytes <= 1_500_000, `${bytes} bytes`);
});
