/** A client that none of us wrote, Debian's python3-librouteros, against the simulated router. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RouterSimulatorOptions } from './router.ts';
import { startRouter } from './support.ts';

for (const [what, name, knobs] of [
  ['logs in with name and password', 'plain_login', { version: '6.43' }],
  ['logs in by answering the challenge of an old router', 'challenge_login', { version: '6.42' }],
  ['queries, adds, sets and removes', 'rows', {}],
  ['listens, and cancels it', 'following', {}],
  ['reads and writes UTF-8 and words of every length', 'text', {}],
  ['reads tagged replies in pieces of three bytes', 'pieces', { fragmentBytes: 3 }],
  ['takes its leave', 'quitting', {}],
] as [string, string, RouterSimulatorOptions][]) {
  test(`librouteros ${what}`, async t => {
    const { port } = await startRouter(t, { username: 'lango', password: 'p', ...knobs });
    assert.equal(await failureOf(String(port), name), '');
  });
}

/** Debian's own Python, whatever other one comes first in the path. @returns what it failed with, or nothing */
function failureOf(...words: string[]): Promise<string> {
  const script = join(import.meta.dirname, 'foreign_client.py');
  return new Promise(resolve => {
    execFile('/usr/bin/python3', ['-B', script, ...words], { timeout: 100_000 }, (error, _, stderr) =>
      resolve(error === null ? '' : stderr || error.message),
    );
  });
}
