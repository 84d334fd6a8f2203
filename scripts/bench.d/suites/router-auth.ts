/** `/api/router/auth/` as the router calls it: it decides, registers and records. Against node:http that only answers. */
import { makeBooks } from '../books.ts';
import { compared, type Figure, figure, inTurn, ratios } from '../figures.ts';
import { type LoadResult, load } from '../load.ts';
import { logins } from '../requests.ts';
import { type Running, startLango, startRaw } from '../server.ts';

const ROUNDS = 7;
const SECONDS = 2;
const ACTIVE = 2_000;
const OK = Buffer.from('OK').toString('base64');

export async function run(): Promise<Figure[]> {
  return [...(await againstRaw()), ...(await growth())];
}

const ask = ({ port }: Running, request: (n: number) => Buffer, seconds = SECONDS): Promise<LoadResult> =>
  load({ port, request, seconds, accepts: [200, 403] });

async function againstRaw(): Promise<Figure[]> {
  const books = makeBooks({ users: 200_000, active: ACTIVE });
  const lango = await startLango(books.dataDir);
  const raw = await startRaw({ body: OK, headers: ['Content-Type', 'text/plain; charset=utf-8'] });
  try {
    const request = logins(200_000, ACTIVE);
    await ask(lango, request, 5);
    await ask(raw, request, 2);
    const both = await inTurn(
      ROUNDS,
      () => ask(lango, request),
      () => ask(raw, request),
    );
    return compared('router auth, × raw POST', both, { rate: 0.6, p99: 2 });
  } finally {
    await lango.stop();
    await raw.stop();
    books.remove();
  }
}

/** A thousand users against a million: the same people ask, or everybody does, at random. */
async function growth(): Promise<Figure[]> {
  const few = makeBooks({ users: 1_000, active: 900 });
  const many = makeBooks({ users: 1_000_000, active: 900_000 });
  const small = await startLango(few.dataDir);
  const large = await startLango(many.dataDir);
  try {
    const same = logins(1_000, 900);
    const allOfMany = logins(1_000_000, 900_000, 200_000);
    for (const server of [small, large]) await ask(server, same, 4);
    await ask(large, allOfMany, 4);
    const samePeople = await inTurn(
      ROUNDS,
      () => ask(large, same),
      () => ask(small, same),
    );
    const atRandom = await inTurn(
      ROUNDS,
      () => ask(large, allOfMany),
      () => ask(small, same),
    );
    const rate = ({ a, b }: typeof atRandom) =>
      ratios(
        a.map(each => each.perSecond),
        b.map(each => each.perSecond),
      );
    return [
      figure('router auth, 1,000,000 users × 1,000: the same people', rate(samePeople), { least: 0.95 }),
      figure('router auth, 1,000,000 users × 1,000: all at random', rate(atRandom), { least: 0.8 }),
    ];
  } finally {
    await small.stop();
    await large.stop();
    few.remove();
    many.remove();
  }
}
