import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { stageFolder } from '../../build/target.ts';
import { VERSION } from '../../src/version.ts';
import { freePort } from '../support/ports.ts';
import { executable, serve, stop, temporaryFolder } from './support.ts';

const lango = executable('linux-x64');
const langoArm = executable('linux-arm64');
const NOBODY = 65_534;

function listenOn(port: number) {
  return { LANGO_HOST: '127.0.0.1', LANGO_PORT: String(port) };
}

function run(...args: string[]) {
  return spawnSync(lango, args, { encoding: 'utf8', env: {}, timeout: 60_000 });
}

test('the executables take no more than 116 MB each', () => {
  for (const file of [lango, langoArm]) assert.ok(statSync(file).size <= 116e6, `${file}: ${statSync(file).size}`);
});

test('version prints the version of the package', () => {
  const { status, stdout } = run('version');
  assert.equal(status, 0);
  assert.equal(stdout, `${VERSION}\n`);
});

test('help lists the commands, and says more about one', () => {
  assert.match(run('help').stdout, /^ {2}serve .*\n {2}admin /m);
  assert.match(run('help', 'serve').stdout, /^lango serve\n/);
});

test('wrong usage and a wrong configuration end with 2, and every problem is named', async t => {
  assert.deepEqual([run('nonsense').status, run('--env-file').status], [2, 2]);
  const file = join(temporaryFolder(t), 'env');
  writeFileSync(file, 'LANGO_PORT=many\nLANGO_CURRENCY=money\n');
  const { status, stderr } = run('serve', '--env-file', file);
  assert.equal(status, 2);
  assert.match(stderr, /^LANGO_PORT .*\nLANGO_CURRENCY .*\n$/);
});

test('it serves from an empty folder with an empty environment, and ends in order', async t => {
  const cwd = temporaryFolder(t);
  const port = await freePort();
  const settings = join(temporaryFolder(t), 'env');
  writeFileSync(settings, `LANGO_HOST=127.0.0.1\nLANGO_PORT=${port}\n`);
  const served = await serve(t, port, [lango, 'serve', '--env-file', settings], { cwd, env: {} });
  const page = await fetch(`${served.url}/`);
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal(await stop(served.process), 0);
  assert.deepEqual(readdirSync(cwd), ['data']);
});

/**
 * A root that has the program, the system's libraries and `/proc`, all of them read-only, and one writable
 * folder, `/box`: no `/tmp`, no `/dev`, no `/etc`.
 */
const CONFINE = `
  set -e
  cd "$1"
  mount --bind . .
  cd "$1"
  mount --bind /usr usr
  mount --bind "$2" lango
  mount --rbind /proc proc
  mount -o remount,bind,ro usr
  mount -o remount,bind,ro .
  mount --bind "$3" box
  shift 3
  exec chroot "$@"
`;

test('it serves an unprivileged user on a read-only root with one writable folder', async t => {
  const [system, box] = [temporaryFolder(t), temporaryFolder(t)];
  for (const folder of ['usr', 'proc', 'box']) mkdirSync(join(system, folder));
  for (const link of ['lib', 'lib64']) symlinkSync(`usr/${link}`, join(system, link));
  writeFileSync(join(system, 'lango'), '');
  chmodSync(system, 0o755);

  const port = await freePort();
  const privileged = process.getuid?.() === 0;
  if (privileged) chownSync(box, NOBODY, NOBODY);
  const namespaces = privileged ? ['--mount'] : ['--mount', '--user', '--map-root-user'];
  const confine = ['/bin/sh', '-c', CONFINE, 'confine', system, lango, box];
  const as = privileged ? [`--userspec=${NOBODY}:${NOBODY}`] : [];
  const command = ['/usr/bin/unshare', ...namespaces, ...confine, ...as, system, '/lango', 'serve'] as const;
  const env = { PATH: '/usr/sbin:/usr/bin', ...listenOn(port), LANGO_DATA_DIR: '/box' };
  const served = await serve(t, port, command, { cwd: '/', env });
  const uid = privileged ? NOBODY : process.getuid?.();
  assert.match(readFileSync(`/proc/${served.process.pid}/status`, 'utf8'), new RegExp(`^Uid:\t${uid}\t`, 'm'));
  // The native code was there without a name.
  assert.deepEqual(
    readdirSync(box).filter(name => !name.startsWith('lango.')),
    [],
  );
  assert.equal(await stop(served.process), 0);
});

test('the arm64 executable serves on an arm64 processor', async t => {
  const port = await freePort();
  const command = ['/usr/bin/qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu', langoArm, 'serve'] as const;
  const served = await serve(t, port, command, { cwd: temporaryFolder(t), env: listenOn(port) });
  assert.equal((await fetch(`${served.url}/`)).status, 200);
});

test('packing costs little: at most 1.7 times the work until the first answer, idle memory at most 1.4 times', async t => {
  const programs = {
    packed: [lango, 'serve'],
    // The same code on the same Node; from source it would be far slower, and flatter the executable.
    unpacked: [process.execPath, join(stageFolder('linux-x64'), 'main.cjs'), 'serve'],
  } as const;
  const found: Record<keyof typeof programs, { startMs: number; startWorkMs: number; rss: number }[]> = {
    packed: [],
    unpacked: [],
  };
  for (let round = 0; round < 5; round++) {
    for (const name of ['packed', 'unpacked'] as const) found[name].push(await measure(t, programs[name]));
  }
  const ratio = (what: 'startMs' | 'startWorkMs' | 'rss') =>
    median(found.packed.map(one => one[what])) / median(found.unpacked.map(one => one[what]));
  const [late, work, heavy] = [ratio('startMs'), ratio('startWorkMs'), ratio('rss')];
  t.diagnostic(
    `first answer ${late.toFixed(2)} times as late, with ${work.toFixed(2)} times the work, idle memory ${heavy.toFixed(2)} times`,
  );
  assert.ok(work <= 1.7);
  assert.ok(heavy <= 1.4);
});

async function measure(t: TestContext, program: readonly [string, ...string[]]) {
  const port = await freePort();
  const served = await serve(t, port, program, { cwd: temporaryFolder(t), env: listenOn(port) });
  await delay(1_000);
  const rss = served.rss();
  await stop(served.process);
  return { startMs: served.startMs, startWorkMs: served.startWorkMs, rss };
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
