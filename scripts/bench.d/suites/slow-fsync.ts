/** A poor SD card: each flush takes 20 ms longer. Whoever only asks to be online must not notice. */
import { createDisk } from '../../../test/support/disk.ts';
import { makeBooks } from '../books.ts';
import { type Figure, figure, ratios } from '../figures.ts';
import { type LoadResult, load } from '../load.ts';
import { logins, SIGNED, webhooks } from '../requests.ts';
import { startLango } from '../server.ts';

const ROUNDS = 5;
const SECONDS = 4;

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: 200_000, active: 2_000 });
  const disk = createDisk();
  const { port, stop } = await startLango(books.dataDir, { ...SIGNED, ...disk.environment });
  const ask = logins(200_000, 2_000);
  const tell = webhooks();
  const both = async (): Promise<LoadResult> => {
    const writes = load({ port, request: tell, rate: 30, seconds: SECONDS, connections: 8 });
    const auth = await load({ port, request: ask, rate: 300, seconds: SECONDS, accepts: [200, 403] });
    await writes;
    return auth;
  };
  try {
    await load({ port, request: ask, seconds: 4, accepts: [200, 403] });
    await both();
    const good: LoadResult[] = [];
    const slow: LoadResult[] = [];
    const possible: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      disk.is('good');
      good.push(await both());
      disk.is({ slowMicroseconds: 20_000 });
      slow.push(await both());
      possible.push((await load({ port, request: tell, seconds: 2 })).perSecond);
    }
    const p99 = ratios(
      slow.map(each => each.p99),
      good.map(each => each.p99),
    );
    return [
      figure(
        'fsync + 20 ms: router auth p50',
        slow.map(each => each.p50),
        { most: 2 },
        ' ms',
      ),
      figure('fsync + 20 ms: router auth p99, × its own undelayed', p99, { most: 2.5 }),
      figure(
        'fsync + 20 ms: router auth p99',
        slow.map(each => each.p99),
        undefined,
        ' ms',
      ),
      figure('fsync + 20 ms: durable writes', possible, { least: 400 }, '/s'),
    ];
  } finally {
    await stop();
    disk.remove();
    books.remove();
  }
}
