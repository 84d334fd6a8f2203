/**
 * What outlives the request that made it. The collector of young objects costs what it has to keep, so of all that is
 * allocated little may survive it. A full collection in the middle makes everything old that lives at that moment:
 * should something then chain each request to the one before it, all of their garbage survives, and this tells.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { macOf, makeBooks, phoneOf } from '../books.ts';
import { type Figure, figure } from '../figures.ts';
import { load, requestBytes } from '../load.ts';
import { from, logins, SIGNED, webhooks } from '../requests.ts';
import { type Running, startLango } from '../server.ts';

const ROUNDS = 3;
const SCAVENGES_AT_LEAST = 5;
const SECONDS = 3;
/** The young generation has its size by then. */
const WARM_UP_SECONDS = 4;
const ACTIVE = 2_000;
const SHARE_AT_MOST = 0.03;
const JSON_TYPE = { 'Content-Type': 'application/json' };

const MAIN = join(import.meta.dirname, '../../../src/main.ts');
const COLLECT = join(import.meta.dirname, '../collect-on-signal.ts');
const TRACED = [process.execPath, '--expose-gc', '--trace-gc', '--trace-gc-nvp', '--import', COLLECT, MAIN];

/** So many that none is limited, and few enough for the limits to remember all of them. */
const ADDRESSES = 6_000;
const verifications = Array.from({ length: ADDRESSES }, (_, n) => {
  const body = JSON.stringify({ phone_number: phoneOf(n % ACTIVE), mac_address: macOf(n % ACTIVE) });
  return requestBytes('POST', '/api/verify/', body, { ...JSON_TYPE, ...from(n) });
});
const bundles = requestBytes('GET', '/api/bundles/');

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: 20_000, active: ACTIVE });
  const figures: Figure[] = [];
  try {
    for (const [name, request] of [
      ['logins', logins(20_000, ACTIVE)],
      ['verify', (n: number) => verifications[n % ADDRESSES] as Buffer],
      ['bundles', () => bundles],
      ['notifications', webhooks()],
    ] as const) {
      const lines: string[] = [];
      const server = await startLango(books.dataDir, SIGNED, TRACED, line => lines.push(line));
      try {
        const shares = await measured(server, request, lines);
        figures.push(figure(`${name}: survivors, × allocated`, shares, { most: SHARE_AT_MOST }));
      } finally {
        await server.stop();
      }
    }
    return figures;
  } finally {
    books.remove();
  }
}

async function measured({ port, pid }: Running, request: (n: number) => Buffer, lines: string[]): Promise<number[]> {
  const ask = (seconds: number) => load({ port, request, seconds, accepts: [200, 403] });
  await ask(WARM_UP_SECONDS);
  const shares: number[] = [];
  while (shares.length < ROUNDS) {
    const asked = ask(SECONDS);
    await setTimeout(500);
    process.kill(pid, 'SIGUSR2');
    lines.length = 0;
    await asked;
    // A machine that has much else to do may not come to so many.
    const scavenges = lines.filter(line => line.includes(' gc=s '));
    if (scavenges.length >= SCAVENGES_AT_LEAST) shares.push(survivingShare(scavenges));
  }
  return shares;
}

/** Of what was allocated before each scavenge, what was copied or promoted by it; bytes, in lines of `--trace-gc-nvp`. */
function survivingShare(lines: readonly string[]): number {
  let allocated = 0;
  let survived = 0;
  for (const line of lines) {
    allocated += bytesOf('allocated', line);
    survived += bytesOf('promoted', line) + bytesOf('new_space_survived', line);
  }
  return survived / allocated;
}

function bytesOf(name: string, line: string): number {
  return Number(new RegExp(` ${name}=(\\d+)`).exec(line)?.[1]);
}
