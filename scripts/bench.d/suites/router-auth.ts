/** `/api/router/auth/` as the router calls it: it decides, registers and records. Against node:http that only answers. */
import { makeBooks } from '../books.ts';
import { type Both, type Compared, compared, type Figure, figure, inTurn, ofFreshPairs, ratios } from '../figures.ts';
import { type LoadResult, load } from '../load.ts';
import { logins } from '../requests.ts';
import { type Running, startLango, startRaw } from '../server.ts';
import { wrkLogins } from '../wrk.ts';

const ROUNDS = 4;
const SECONDS = 1;
const USERS = 200_000;
const ACTIVE = 2_000;
const BARS = { rate: 0.55, p99: 2 };
const OK = Buffer.from('OK').toString('base64');

export async function run(): Promise<Figure[]> {
  return [...(await againstRaw()), ...(await growth())];
}

const ask = ({ port }: Running, request: (n: number) => Buffer, seconds = SECONDS): Promise<LoadResult> =>
  load({ port, request, seconds, accepts: [200, 403] });

async function againstRaw(): Promise<Figure[]> {
  const books = makeBooks({ users: USERS, active: ACTIVE });
  const request = logins(USERS, ACTIVE);
  const start = () => startLango(books.dataDir);
  const startSame = () => startRaw({ body: OK, headers: ['Content-Type', 'text/plain; charset=utf-8'] });
  const against = (go: (server: Running, seconds: number) => Promise<Compared>) =>
    ofFreshPairs(start, startSame, async (lango, raw) => {
      await go(lango, 4);
      await go(raw, 2);
      return inTurn(
        ROUNDS,
        () => go(lango, SECONDS),
        () => go(raw, SECONDS),
      );
    });
  try {
    const ours = await against((server, seconds) => ask(server, request, seconds));
    const byWrk = await against(({ port }, seconds) => wrkLogins(port, USERS, ACTIVE, seconds));
    return [
      ...compared('router auth, × raw POST', ours, BARS),
      ...compared('router auth, × raw POST, with wrk as the load', byWrk, BARS),
    ];
  } finally {
    books.remove();
  }
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
