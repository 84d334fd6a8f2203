import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const sandbox = mkdtempSync(join(tmpdir(), 'lango-layers-'));
cpSync(join(root, 'oxlint.config.ts'), join(sandbox, 'oxlint.config.ts'));
cpSync(join(root, 'tsconfig.json'), join(sandbox, 'tsconfig.json'));
symlinkSync(join(root, 'node_modules'), join(sandbox, 'node_modules'));
writeFileSync(join(sandbox, 'package.json'), '{ "type": "module" }');
after(() => rmSync(sandbox, { recursive: true }));

/** @returns the rules that a file with this text, at this path, breaks */
function lint(path: string, text: string, others: Record<string, string> = {}): string[] {
  for (const folder of ['src', 'test']) {
    rmSync(join(sandbox, folder), { recursive: true, force: true });
    mkdirSync(join(sandbox, folder));
  }
  for (const [file, contents] of Object.entries({ ...others, [path]: text })) {
    mkdirSync(join(sandbox, dirname(file)), { recursive: true });
    writeFileSync(join(sandbox, file), contents);
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json', 'src', 'test'], {
    cwd: sandbox,
    encoding: 'utf8',
  });
  const report = JSON.parse(stdout) as { diagnostics: { code: string }[] };
  return [...new Set(report.diagnostics.map(({ code }) => code))];
}

const from = (module: string) => `import { thing } from '${module}';\n\nexport const same = thing;\n`;
const IMPORTS = ['eslint(no-restricted-imports)'];

for (const [file, module] of [
  ['src/domain/users.ts', '../store/users.ts'],
  ['src/domain/users.ts', '../config.ts'],
  ['src/store/users.ts', '../router/link.ts'],
  ['src/store/users.ts', '../http/route.ts'],
  ['src/store/migrations/001.ts', '../../payment/sandbox.ts'],
  ['src/router/link.ts', '../store/users.ts'],
  ['src/router/connection.ts', '../payment/sandbox.ts'],
  ['src/payment/sandbox.ts', '../sms/beem.ts'],
  ['src/sms/beem.ts', '../payment/client.ts'],
  ['src/outbound/json.ts', '../payment/client.ts'],
  ['src/store/users.ts', '../outbound/json.ts'],
  ['src/http/users.ts', '../store/users.ts'],
  ['src/http/admin/users.ts', '../../router/link.ts'],
  ['src/http/users.ts', '../app.ts'],
  ['src/jobs/expire.ts', '../store/users.ts'],
  ['src/sandbox/service.ts', '../payment/sandbox.ts'],
  ['src/sandbox/service.ts', '../http/body.ts'],
  ['src/sandbox/service.ts', '../config.ts'],
  ['src/payment/sandbox.ts', '../sandbox/notify.ts'],
  ['src/app.ts', '../test/simulator/router.ts'],
  ['src/commands/serve.ts', '../../scripts/demo/main.ts'],
  ['src/router/connection.ts', '../../test/simulator/wire.ts'],
  ['src/store/users.ts', '../../test/support/app.ts'],
  ['test/simulator/wire.ts', '../../src/router/corrections.ts'],
  ['test/simulator/wire.ts', 'node-routeros'],
  ['src/app.ts', 'node-routeros'],
  ['src/router/link.ts', 'node-routeros'],
  ['src/http/users.ts', 'better-sqlite3'],
] as const) {
  test(`${file} may not import ${module}`, () => assert.deepEqual(lint(file, from(module)), IMPORTS));
}

for (const [file, module] of [
  ['src/domain/users.ts', './phone.ts'],
  ['src/store/users.ts', '../domain/users.ts'],
  ['src/payment/paystack.ts', '../outbound/json.ts'],
  ['src/sms/beem.ts', '../outbound/json.ts'],
  ['src/store/migrations/001.ts', '../database.ts'],
  ['src/store/database.ts', 'better-sqlite3'],
  ['src/router/connection.ts', 'node-routeros'],
  ['src/http/admin/users.ts', '../route.ts'],
  ['src/sandbox/service.ts', '../domain/money.ts'],
  ['src/sandbox/service.ts', '../outbound/json.ts'],
  ['src/sandbox-mount.ts', './sandbox/service.ts'],
  ['test/simulator/wire.ts', '../support/until.ts'],
  ['test/router/link.test.ts', '../../src/router/link.ts'],
  ['src/app.ts', './store/users.ts'],
  ['src/commands/serve.ts', '../app.ts'],
] as const) {
  test(`${file} may import ${module}`, () => assert.deepEqual(lint(file, from(module)), []));
}

test('modules may not import each other in a circle', () => {
  const found = lint('src/domain/a.ts', "import { b } from './b.ts';\n\nexport const a = () => b;\n", {
    'src/domain/b.ts': "import { a } from './a.ts';\n\nexport const b = () => a;\n",
  });
  assert.deepEqual(found, ['import(no-cycle)']);
});

test('only domain/time and the tests touch Date', () => {
  const text = 'export const now = () => Date.now();\n';
  assert.deepEqual(lint('src/store/users.ts', text), ['eslint(no-restricted-globals)']);
  assert.deepEqual(lint('src/app.ts', text), ['eslint(no-restricted-globals)']);
  assert.deepEqual(lint('src/domain/time.ts', text), []);
  assert.deepEqual(lint('test/simulator/clock.ts', text), []);
});
