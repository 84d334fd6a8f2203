import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../../src/config.ts';

const source = join(import.meta.dirname, '../../systemd');
const units = mkdtempSync(join(tmpdir(), 'lango-units-'));
after(() => rmSync(units, { recursive: true }));

// The check wants the program to exist, and this machine need not have Lango installed.
for (const name of readdirSync(source).filter(file => /\.(service|timer)$/.test(file))) {
  const unit = readFileSync(join(source, name), 'utf8');
  writeFileSync(join(units, name), unit.replaceAll('/usr/local/bin/lango', '/bin/true'));
}

test('systemd understands every line of the units', () => {
  const files = readdirSync(units).map(name => join(units, name));
  execFileSync('systemd-analyze', ['verify', ...files], { stdio: 'pipe' });
});

for (const [unit, exposure] of [
  ['lango.service', 2.0],
  ['lango-backup.service', 1.0],
] as const) {
  test(`${unit} is exposed by no more than ${exposure} of 10`, () => {
    const options = ['security', '--offline=true', `--threshold=${exposure * 10}`];
    execFileSync('systemd-analyze', [...options, join(units, unit)], { stdio: 'pipe' });
  });
}

test('the example environment explains every variable, and no other', () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  const variables = [...read].filter(name => !name.endsWith('_FILE'));
  const example = readFileSync(join(source, 'lango.env.example'), 'utf8');
  const explained = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(match => String(match[1]));
  assert.deepEqual(explained.toSorted(), variables.toSorted());
});

test('the example environment shows the defaults', () => {
  const example = readFileSync(join(source, 'lango.env.example'), 'utf8');
  const shown = [...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(match => [String(match[1]), String(match[2])]);
  assert.deepEqual(readConfig(Object.fromEntries(shown)), readConfig({}));
});
