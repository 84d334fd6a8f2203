/** `/api/router/auth/` as the router calls it: it decides, registers and records. Against node:http that only answers. */

import { macOf, makeBooks, phoneOf } from '../books.ts';
import { type Figure, figure, inTurn, ratios } from '../figures.ts';
import { load, requestBytes } from '../load.ts';
import { startLango, startRaw } from '../server.ts';

const ROUNDS = 5;
const SECONDS = 2.5;
const ACTIVE = 2_000;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const OK = Buffer.from('OK').toString('base64');

const ask = (n: number) =>
  requestBytes(
    'POST',
    '/api/router/auth/',
    `username=${phoneOf(n)}&password=&mac=${encodeURIComponent(macOf(n))}&ip=10.5.50.9`,
    FORM,
  );

/** 90 % of those who ask are let in. */
const someActive = (total: number) => (n: number) =>
  n % 10 === 0 ? ACTIVE + ((n * 7_919) % (total - ACTIVE)) : (n * 7_919) % ACTIVE;

export async function run(): Promise<Figure[]> {
  const small = makeBooks({ users: 200_000, active: ACTIVE });
  const lango = await startLango(small.dataDir);
  const raw = await startRaw({ body: OK, headers: ['Content-Type', 'text/plain; charset=utf-8'] });
  try {
    const who = someActive(200_000);
    const requests = Array.from({ length: 20_000 }, (_, n) => ask(who(n)));
    const request = (n: number) => requests[n % requests.length] as Buffer;
    const accepts = [200, 403];
    await load({ port: lango.port, request, seconds: 2, accepts });
    await load({ port: raw.port, request, seconds: 1, accepts });
    const { a, b } = await inTurn(
      ROUNDS,
      () => load({ port: lango.port, request, seconds: SECONDS, accepts }),
      () => load({ port: raw.port, request, seconds: SECONDS, accepts }),
    );
    return [
      figure(
        'router auth, × raw POST',
        ratios(
          a.map(each => each.perSecond),
          b.map(each => each.perSecond),
        ),
        { least: 0.6 },
      ),
      figure(
        'router auth p99, × raw POST',
        ratios(
          a.map(each => each.p99),
          b.map(each => each.p99),
        ),
        { most: 2 },
      ),
      figure(
        'router auth',
        a.map(each => each.perSecond),
        undefined,
        '/s',
      ),
      figure(
        'raw POST',
        b.map(each => each.perSecond),
        undefined,
        '/s',
      ),
    ];
  } finally {
    await lango.stop();
    await raw.stop();
    small.remove();
  }
}
