/** `/api/router/auth/` against what hotspots commonly ask: FreeRADIUS with SQLite, on the same core, the same people. */
import { makeBooks } from '../books.ts';
import { compared, type Figure, figure, inTurn } from '../figures.ts';
import { load } from '../load.ts';
import { accessRequest, radiusLoad, startRadius } from '../radius.ts';
import { logins } from '../requests.ts';
import { startLango } from '../server.ts';

const ROUNDS = 5;
const SECONDS = 2.5;
const USERS = 200_000;
const ACTIVE = 2_000;

export async function run(): Promise<Figure[]> {
  return [...(await against(true, 5)), ...(await against(false, 1.2))];
}

async function against(recording: boolean, least: number): Promise<Figure[]> {
  const books = makeBooks({ users: USERS, active: ACTIVE });
  const lango = await startLango(books.dataDir);
  const radius = await startRadius(USERS, ACTIVE, recording);
  const request = logins(USERS, ACTIVE);
  const packets = Array.from({ length: 20_000 }, (_, n) =>
    accessRequest(n % 10 === 0 ? ACTIVE + ((n * 7_919) % (USERS - ACTIVE)) : (n * 7_919) % ACTIVE),
  );
  const ours = () => load({ port: lango.port, request, seconds: SECONDS, accepts: [200, 403] });
  const theirs = () => radiusLoad({ port: radius.port, packets, seconds: SECONDS });
  try {
    await ours();
    await theirs();
    const both = await inTurn(ROUNDS, ours, theirs);
    const name = recording ? 'FreeRADIUS + SQLite, recording' : 'FreeRADIUS + SQLite, deciding only';
    return [
      ...compared(`router auth, × ${name}`, both, { rate: least }),
      figure(
        name,
        both.b.map(each => each.perSecond),
        undefined,
        '/s',
      ),
      figure(
        `${name}: p99`,
        both.b.map(each => each.p99),
        undefined,
        ' ms',
      ),
    ];
  } finally {
    await lango.stop();
    await radius.stop();
    books.remove();
  }
}
