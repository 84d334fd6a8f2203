/** `/api/router/auth/` as the router calls it: it decides, registers and records. Against node:http that only answers. */
import { makeBooks } from '../books.ts';
import { type Both, compared, type Figure, figure, inTurn, ofFreshPairs, ratios } from '../figures.ts';
import { type LoadResult, load } from '../load.ts';
import { logins } from '../requests.ts';
import { type Running, startLango, startRaw } from '../server.ts';

const ROUNDS = 4;
const SECONDS = 1;
const ACTIVE = 2_000;
const OK = Buffer.from('OK').toString('base64');

export async function run(): Promise<Figure[]> {
  return [...(await againstRaw()), ...(await growth())];
}

const ask = ({ port }: Running, request: (n: number) => Buffer, seconds = SECONDS): Promise<LoadResult> =>
  load({ port, request, seconds, accepts: [200, 403] });

async function againstRaw(): Promise<Figure[]> {
  const books = makeBooks({ users: 200_000, active: ACTIVE });
  const request = logins(200_000, ACTIVE);
  const start = () => startLango(books.dataDir);
  const startSame = () => startRaw({ body: OK, headers: ['Content-Type', 'text/plain; charset=utf-8'] });
  const both = await ofFreshPairs(start, startSame, async (lango, raw) => {
    await ask(lango, request, 4);
    await ask(raw, request, 2);
    return inTurn(
      ROUNDS,
      () => ask(lango, request),
      () => ask(raw, request),
    );
  }).finally(books.remove);
  return compared('router auth, × raw POST', both, { rate: 0.6, p99: 2 });
}

/** A thousand users against a million: the same people ask, or everybody does, at random. */
async function growth(): Promise<Figure[]> {
  const few = makeBooks({ users: 1_000, active: 900 });
  const many = makeBooks({ users: 1_000_000, active: 900_000 });
  const same = logins(1_000, 900);
  const allOfMany = logins(1_000_000, 900_000, 200_000);
  const startSmall = () => startLango(few.dataDir);
  const startLarge = () => startLango(many.dataDir);
  const against = (ofMany: (n: number) => Buffer) =>
    ofFreshPairs(startLarge, startSmall, async (large, small) => {
      await ask(small, same, 4);
      // Long enough for everybody to have been asked for once.
      await ask(large, ofMany, 12);
      return inTurn(
        ROUNDS,
        () => ask(large, ofMany),
        () => ask(small, same),
      );
    });
  const rate = ({ a, b }: Both<LoadResult>) =>
    ratios(
      a.map(each => each.perSecond),
      b.map(each => each.perSecond),
    );
  try {
    return [
      figure('router auth, 1,000,000 users × 1,000: the same people', rate(await against(same)), { least: 0.95 }),
      figure('router auth, 1,000,000 users × 1,000: all at random', rate(await against(allOfMany)), { least: 0.8 }),
    ];
  } finally {
    few.remove();
    many.remove();
  }
}
