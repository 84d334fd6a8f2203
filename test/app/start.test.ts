/** A start that cannot succeed ends, so that whoever watches the program can start it again. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

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
    env: { ...process.env, LANGO_DATA_DIR: dataDir, LANGO_HOST: '127.0.0.1', LANGO_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', piece => (said += piece));
  const [code, signal] = await once(child, 'close');
  assert.deepEqual([code, signal], [1, null]);
  assert.match(said, new RegExp(`cannot listen on 127\\.0\\.0\\.1 port ${port}: another program does.*LANGO_PORT`));
});
