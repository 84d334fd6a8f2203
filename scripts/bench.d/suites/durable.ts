/**
 * What is on the disk before it is answered, against the same command in a commit of its own for each request: on this
 * disk, and on one that takes 2 ms longer for a flush, as the eMMC of a mini PC does.
 */
import { createDisk, type Mood } from '../../../test/support/disk.ts';
import { makeBooks } from '../books.ts';
import { compared, type Figure, inTurn } from '../figures.ts';
import { type LoadResult, load } from '../load.ts';
import { redemptions, SIGNED, webhooks } from '../requests.ts';
import { type Running, startCommitting, startLango } from '../server.ts';

const ROUNDS = 5;
const SECONDS = 1.5;
const USERS = 50_000;
const VOUCHERS = 250_000;
const DISKS: readonly [name: string, mood: Mood][] = [
  ['', 'good'],
  ['flush + 2 ms: ', { slowMicroseconds: 2_000 }],
];

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: USERS, active: 2_000, payments: 50_000, vouchers: VOUCHERS });
  const others = makeBooks({ users: USERS, active: 2_000, payments: 50_000, vouchers: VOUCHERS });
  const disk = createDisk();
  const environment = { ...SIGNED, ...disk.environment };
  const lango = await startLango(books.dataDir, environment);
  const committing = await startCommitting(others.dataDir, environment);
  try {
    const figures: Figure[] = [];
    const kinds = [
      ['payment-webhook', webhooks(), webhooks()],
      ['vouchers/redeem', redemptions(VOUCHERS, USERS), redemptions(VOUCHERS, USERS)],
    ] as const;
    for (const [on, mood] of DISKS) {
      disk.is(mood);
      for (const [name, ours, theirs] of kinds) {
        for (const [connections, rate] of [
          [32, 2.5],
          [1, 0.8],
        ] as const) {
          const go = ({ port }: Running, what: (n: number) => Buffer): Promise<LoadResult> =>
            load({ port, request: what, connections, seconds: SECONDS });
          await go(lango, ours);
          await go(committing, theirs);
          const both = await inTurn(
            ROUNDS,
            () => go(lango, ours),
            () => go(committing, theirs),
          );
          figures.push(...compared(`${on}${name}, ${connections} connection(s), × a FULL commit each`, both, { rate }));
        }
      }
    }
    return figures;
  } finally {
    await lango.stop();
    await committing.stop();
    books.remove();
    others.remove();
    disk.remove();
  }
}
