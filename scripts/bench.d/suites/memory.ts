/** What the executable holds in memory, idle and under minutes of load, against a bare program on the same Node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { executablePath, stageFolder } from '../../../build/target.ts';
import { makeBooks } from '../books.ts';
import { type Figure, figure, ratios } from '../figures.ts';
import { load } from '../load.ts';
import { logins, SIGNED, webhooks } from '../requests.ts';
import { type Running, startLango } from '../server.ts';

const ROUNDS = 3;
/** Of the bar's hour; `BENCH_MINUTES=60` gives the whole of it. */
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 4);
const SETTLE_MS = 6_000;

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: 200_000, active: 2_000 });
  const executable = [executablePath('linux-x64')];
  const unpacked = [process.execPath, join(stageFolder('linux-x64'), 'main.cjs')];
  try {
    const idle: { ours: number; unpacked: number; node: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      idle.push({
        ours: await idleMemory(() => startLango(books.dataDir, SIGNED, executable)),
        unpacked: await idleMemory(() => startLango(books.dataDir, SIGNED, unpacked)),
        node: await bareNode(),
      });
    }
    const of = (what: 'ours' | 'unpacked' | 'node') => idle.map(each => each[what]);
    return [
      figure(
        'idle memory of the executable, 200,000 users, × the same program unpackaged',
        ratios(of('ours'), of('unpacked')),
        { most: 1.4 },
      ),
      figure('idle memory of the executable, 200,000 users', of('ours'), undefined, ' MiB'),
      figure('idle memory of Node that serves nothing', of('node'), undefined, ' MiB'),
      ...(await growth(books.dataDir, executable)),
    ];
  } finally {
    books.remove();
  }
}

async function idleMemory(start: () => Promise<Running>): Promise<number> {
  const server = await start();
  await setTimeout(SETTLE_MS);
  const memory = server.memory();
  await server.stop();
  return memory;
}

async function bareNode(): Promise<number> {
  const child = spawn(process.execPath, ['-e', "require('http').createServer().listen(0, '127.0.0.1')"]);
  await setTimeout(2_000);
  const memory = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024;
  child.kill();
  await once(child, 'exit');
  return memory;
}

/** 2,000 logins and 50 notifications a second. The first quarter fills the caches; after it nothing may grow. */
async function growth(dataDir: string, executable: readonly string[]): Promise<Figure[]> {
  const { port, memory, stop } = await startLango(dataDir, SIGNED, executable);
  const ask = logins(200_000, 2_000);
  const tell = webhooks();
  const measured: number[] = [];
  try {
    for (let quarter = 0; quarter < 4; quarter += 1) {
      const seconds = (MINUTES * 60) / 4;
      const writes = load({ port, request: tell, rate: 50, seconds, connections: 8 });
      await load({ port, request: ask, rate: 2_000, seconds, accepts: [200, 403] });
      await writes;
      measured.push(memory());
    }
  } finally {
    await stop();
  }
  const [first = Number.NaN, , , last = Number.NaN] = measured;
  return [
    figure(`memory after ${MINUTES} minutes of load, × after a quarter of them`, [last / first], { most: 1.1 }),
    figure(`memory after ${MINUTES} minutes of load`, [last], undefined, ' MiB'),
  ];
}
