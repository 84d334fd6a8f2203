/** What phones read, against node:http that sends the same bytes. */
import { makeBooks, phoneOf } from '../books.ts';
import { compared, type Figure, inTurn, ofFreshPairs } from '../figures.ts';
import { load, requestBytes } from '../load.ts';
import { from } from '../requests.ts';
import { type Running, startLango, startRaw } from '../server.ts';

const ROUNDS = 4;
const SECONDS = 1;
const USERS = 200_000;

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: USERS, active: 2_000, payments: 200_000 });
  const start = () => startLango(books.dataDir);
  try {
    return [
      ...(await against(
        start,
        'user-status, × raw GET',
        0.5,
        n => `/api/user-status/+${phoneOf((n * 7_919) % 2_000)}/`,
      )),
      ...(await against(start, 'bundles, × raw GET', 0.85, () => '/api/bundles/')),
      ...(await against(start, 'portal page, compressed, × raw GET', 0.8, () => '/', { 'Accept-Encoding': 'br' })),
    ];
  } finally {
    books.remove();
  }
}

async function against(
  start: () => Promise<Running>,
  name: string,
  least: number,
  path: (n: number) => string,
  headers: Record<string, string> = {},
): Promise<Figure[]> {
  const all = Array.from({ length: 12_000 }, (_, n) => requestBytes('GET', path(n), null, { ...headers, ...from(n) }));
  const request = (n: number) => all[n % all.length] as Buffer;
  const startSame = async (lango: Running) => startRaw(await replyOf(lango, path(0), headers));
  const both = await ofFreshPairs(start, startSame, async (lango, raw) => {
    for (const { port } of [lango, raw]) await load({ port, request, seconds: 2 });
    return inTurn(
      ROUNDS,
      () => load({ port: lango.port, request, seconds: SECONDS }),
      () => load({ port: raw.port, request, seconds: SECONDS }),
    );
  });
  return compared(name, both, { rate: least });
}

/** The bytes and headers of a reply as they go over the wire. */
async function replyOf({ port }: Running, path: string, headers: Record<string, string>) {
  const { get } = await import('node:http');
  return new Promise<{ body: string; headers: string[] }>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const own = /^(date|connection|keep-alive|content-length|transfer-encoding)$/i;
        const kept = Object.entries(response.headers).filter(([key]) => !own.test(key));
        const flat = kept.flatMap(([key, value]) => [key, String(value)]);
        resolve({ body: Buffer.concat(chunks).toString('base64'), headers: flat });
      });
    }).on('error', reject);
  });
}
