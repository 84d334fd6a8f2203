/** A start that cannot succeed ends, so that whoever watches the program can start it again. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp as startRealApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startApp } from '../support/app.ts';
import { BARE_ENVIRONMENT } from '../support/environment.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

test('a port that another program has ends the start with 1, and says what to do', async t => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-start-'));
  t.after(() => {
    other.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const port = (other.address() as AddressInfo).port;
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...BARE_ENVIRONMENT, LANGO_DATA_DIR: dataDir, LANGO_HOST: '127.0.0.1', LANGO_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 120_000,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', piece => (said += piece));
  const [code, signal] = await once(child, 'close');
  assert.deepEqual([code, signal], [1, null]);
  assert.match(said, new RegExp(`cannot listen on 127\\.0\\.0\\.1 port ${port}: another program does.*LANGO_PORT`));
});

for (const host of ['127.0.0.2', '::1']) {
  test(`the sandbox is paid at on ${host}, when that is all the server listens on`, async t => {
    const environment = { LANGO_HOST: host, LANGO_BASE_URL: 'http://wifi.example', LANGO_PAYMENT_PROVIDER: 'sandbox' };
    const app = await startApp(t, { environment });
    const bundle = await app.createBundle();
    const order = { phone_number: '0712345678', bundle_id: bundle.id };
    const { status, body } = await app.post('/api/initiate-payment/', order);
    assert.equal(status, 200, JSON.stringify(body));
  });
}

test('closing goes on past a part that fails, and says what failed', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-close-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const port = String(await freePort());
  const config = readConfig({ LANGO_DATA_DIR: dataDir, LANGO_HOST: '127.0.0.1', LANGO_PORT: port });
  const app = await startRealApp(config, { log: createLog('error', { write() {} }), startJobs: false });
  const { port: router } = app.context.site.defaultRouter;
  const closeRouter = router.close;
  router.close = async () => {
    await closeRouter.call(router);
    throw new Error('the router did not hang up');
  };
  await assert.rejects(app.close(), (error: AggregateError) => {
    assert.deepEqual(
      error.errors.map(({ message }) => message),
      ['the router did not hang up'],
    );
    return true;
  });
  await assert.rejects(app.context.commit('recordHeartbeat', {}), /stopped/);
});

test('a signal ends it in order: the log of changes is written back', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-stop-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = {
    ...BARE_ENVIRONMENT,
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(await freePort()),
  };
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', piece => (said += piece));
  await until(() => said.includes('server.listening'));
  await until(async () => (await fetch(`http://127.0.0.1:${env.LANGO_PORT}/api/health/`)).ok);
  child.kill('SIGTERM');
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  assert.match(said, /server\.stopped/);
  assert.equal(existsSync(join(dataDir, 'lango.db-wal')), false);
});

test('a provider and a router that say nothing hold up no payer for 10 s', async t => {
  const silent = createServer(socket => socket.on('error', () => {}));
  t.after(() => silent.close());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const app = await startApp(t, {
    environment: {
      LANGO_ROUTER_HOST: '127.0.0.1',
      LANGO_ROUTER_PORT: String(port),
      LANGO_ROUTER_USERNAME: 'lango',
      LANGO_ROUTER_PASSWORD: 'secret',
      LANGO_PAYMENT_API_URL: `http://127.0.0.1:${port}`,
      LANGO_PAYMENT_API_KEY: 'a-key-of-the-provider-for-tests',
      LANGO_PAYMENT_WEBHOOK_SECRET: 'a-secret-of-the-provider-for-tests',
    },
  });
  const bundle = await app.createBundle();
  const begun = performance.now();
  const order = { phone_number: '0712345678', bundle_id: bundle.id, mac_address: 'A4:83:E7:12:34:56' };
  const { status, body } = await app.post('/api/initiate-payment/', order);
  const took = performance.now() - begun;
  assert.equal(status, 502, JSON.stringify(body));
  assert.equal(body.code, 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.ok(took < 10_000, `answered after ${took} ms`);
});
