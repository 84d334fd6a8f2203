/** `lango admin`: accounts from the command line, beside a running appliance. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { totpCode, totpStep } from '../../src/domain/totp.ts';
import { OWNER, startApp, type TestApp } from '../support/app.ts';
import { BARE_ENVIRONMENT } from '../support/environment.ts';
import { hire, STAFF_PASSWORD } from '../support/staff.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

interface Outcome {
  status: number | null;
  out: string;
  err: string;
}

function lango(dataDir: string, args: readonly string[], input = ''): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, 'admin', ...args], {
      env: { ...BARE_ENVIRONMENT, LANGO_DATA_DIR: dataDir },
      timeout: 120_000,
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', piece => (out += piece));
    child.stderr.setEncoding('utf8').on('data', piece => (err += piece));
    child.on('error', reject);
    child.on('close', status => resolve({ status, out, err }));
    child.stdin.end(input);
  });
}

const logIn = (app: TestApp, username: string, password: string) =>
  app.post('/api/auth/login/', { username, password });

test('an admin that is added while the appliance runs may log in at once', async t => {
  const app = await startApp(t);
  const { status, out, err } = await lango(app.dataDir, ['add', 'neema', 'cashier'], 'a password of neema\n');
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, /neema.*cashier/);
  assert.ok(!out.includes('a password of neema'));
  const answer = await logIn(app, 'neema', 'a password of neema');
  assert.deepEqual([answer.status, answer.body.user?.role], [200, 'cashier']);
  const [entry] = (await app.get('/api/admin/audit-log/?action=admin.create', app.admin)).body.entries;
  assert.equal(entry.admin, 'command line');
});

test('the first admin may come from the command line, and closes the set-up', async t => {
  const app = await startApp(t, { environment: { LANGO_ADMIN_USERNAME: '', LANGO_ADMIN_PASSWORD: '' } });
  assert.equal((await lango(app.dataDir, ['add', 'asha', 'owner'], 'a password of asha')).status, 0);
  assert.deepEqual((await app.get('/api/auth/setup/')).body, { needed: false });
  assert.equal((await logIn(app, 'asha', 'a password of asha')).status, 200);
});

test('a new password ends every session and switches the second factor off', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff', 'neema');
  const { secret } = (await app.post('/api/auth/totp/start/', {}, staff.headers)).body;
  const code = totpCode(secret, totpStep(app.context.clock.now()));
  assert.equal((await app.post('/api/auth/totp/confirm/', { code }, staff.headers)).status, 200);
  const { status, out } = await lango(app.dataDir, ['password', 'neema'], 'the next password\r\n');
  assert.equal(status, 0);
  assert.match(out, /second factor is off/);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).status, 403);
  assert.equal((await logIn(app, 'neema', STAFF_PASSWORD)).status, 401);
  assert.equal((await logIn(app, 'neema', 'the next password')).status, 200);
});

test('who is disabled is out at once; the last owner stays', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff', 'neema');
  assert.equal((await lango(app.dataDir, ['disable', 'neema'])).status, 0);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).status, 403);
  const refused = await lango(app.dataDir, ['disable', OWNER.username]);
  assert.equal(refused.status, 2);
  assert.match(refused.err, /last active owner/);
});

test('the list names everybody, without secrets', async t => {
  const app = await startApp(t);
  await hire(app, 'cashier', 'neema');
  const { status, out } = await lango(app.dataDir, ['list']);
  assert.equal(status, 0);
  assert.match(out, /^neema +cashier +active/m);
  assert.match(out, /^owner +owner +active +never logged in/m);
  assert.ok(!/argon2|hash/.test(out));
});

test('wrong usage ends with 2 and says what is right; nothing takes a password as an argument', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lango-cli-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const app = await startApp(t);
  for (const [args, input, wanted] of [
    [[], '', /lango admin add NAME/],
    [['promote', 'neema'], '', /lango admin add NAME/],
    [['add', 'neema', 'a password of neema'], '', /lango admin add NAME/],
    [['add', 'neema', 'staff', 'a password of neema'], '', /lango admin add NAME/],
    [['password', 'owner', 'a password of neema'], '', /lango admin password NAME/],
    [['add', 'two words'], 'a password of neema', /cannot be a user name/],
    [['add', 'neema'], 'short\n', /at least 10 characters/],
    [['add', 'OWNER'], 'a password of neema', /already has this name/],
    [['password', 'nobody'], 'a password of neema', /no admin named nobody/],
  ] as const) {
    const { status, err, out } = await lango(app.dataDir, args, input);
    assert.equal(status, 2, args.join(' '));
    assert.match(err, wanted, args.join(' '));
    assert.ok(!`${out}${err}`.includes('a password of neema'), args.join(' '));
  }
  const nowhere = await lango(folder, ['list']);
  assert.equal(nowhere.status, 2);
  assert.match(nowhere.err, /no books in/);
});
