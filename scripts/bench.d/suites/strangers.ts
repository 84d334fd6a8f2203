/**
 * Strangers at fifty addresses who try everything that is public, a thousand times a second, while people at other
 * addresses pay. `BENCH_SECONDS=30` makes it brief.
 */
import { readdirSync, statSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startRouterSimulator } from '../../../test/simulator/router.ts';
import { macOf, makeBooks, phoneOf } from '../books.ts';
import { type Figure, figure } from '../figures.ts';
import { type Running, startLango } from '../server.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 300);
const RATE = 1_000;
const STRANGERS = 50;
const CUSTOMERS = 60;
const PURCHASES_A_SECOND = 2;
const HELD_BY_EACH = 5;
const USERS = 20_000;
const ROUTER = { username: 'lango', password: 'secret' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Ask {
  method?: string;
  path: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

interface Answer {
  status: number;
  text: string;
}

/** A machine with an address of its own; Linux lets loopback have all of 127.0.0.0/8. */
class Client {
  readonly address: string;
  readonly #agent: Agent;
  readonly #port: number;

  constructor(address: string, port: number) {
    this.address = address;
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 4 });
  }

  ask({ method = 'GET', path, body, headers = {} }: Ask): Promise<Answer> {
    const options = { port: this.#port, host: '127.0.0.1', localAddress: this.address, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const asking = httpRequest({ ...options, method, path, headers }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.once('error', reject);
      });
      asking.once('error', reject);
      asking.end(body);
    });
  }

  /** A connection that sends half a request, again and again. */
  hold(mayGoOn: () => boolean): void {
    if (!mayGoOn()) return;
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: this.address });
    socket.on('error', () => {});
    socket.once('connect', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow'));
    socket.once('close', () => void setTimeout(1_000).then(() => this.hold(mayGoOn)));
  }

  close(): void {
    this.#agent.destroy();
  }
}

const post = (path: string, body: object): Ask => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
  headers: JSON_TYPE,
});
const random = (below: number) => Math.floor(Math.random() * below);
const somebody = () => `+${phoneOf(random(USERS * 2))}`;
const code = () => Array.from({ length: 12 }, () => '23456789ABCDEFGH'[random(16)]).join('');
const LARGE_NOTICE = Buffer.from(JSON.stringify({ order_reference: 'NOBODYS', note: 'x'.repeat(60_000) }));

/** What strangers do, in turn. */
const TRIES: readonly (() => Ask)[] = [
  () => ({ path: `/api/user-status/${somebody()}/` }),
  () => ({ path: '/api/user-status/no-number/' }),
  () => ({ path: `/api/devices/${somebody()}/` }),
  () => post('/api/devices/remove/', { phone_number: somebody(), mac_address: macOf(random(USERS)) }),
  () => post('/api/verify/', { phone_number: somebody(), mac_address: macOf(random(USERS)) }),
  () => post('/api/vouchers/redeem/', { phone_number: somebody(), voucher_code: code() }),
  () => ({ method: 'POST', path: '/api/payment-webhook/', body: LARGE_NOTICE, headers: JSON_TYPE }),
  () => post('/api/initiate-payment/', { phone_number: somebody(), bundle_id: 1 }),
  () => ({ path: `/api/payment-status/${code()}AAAABBBB/` }),
  () => ({ path: `/api/router/user-status/?username=${somebody().slice(1)}` }),
  () => ({ method: 'POST', path: '/api/router/auth/', body: `username=${somebody().slice(1)}`, headers: FORM }),
  () => ({ method: 'POST', path: '/api/router/logout/', body: `username=${somebody().slice(1)}`, headers: FORM }),
  () => ({ path: '/api/captive-portal/' }),
  () => post('/api/auth/login/', { username: `admin${random(100)}`, password: 'guess' }),
  () => ({ path: '/api/bundles/' }),
  () => ({ path: '/' }),
];

export async function run(): Promise<Figure[]> {
  const books = makeBooks({ users: USERS, active: 2_000, payments: 1_000 });
  const router = await startRouterSimulator(ROUTER);
  const lango = await startLango(books.dataDir, {
    LANGO_PAYMENT_PROVIDER: 'sandbox',
    LANGO_ROUTER_PORT: String(router.port),
    LANGO_ROUTER_USERNAME: ROUTER.username,
    LANGO_ROUTER_PASSWORD: ROUTER.password,
    LANGO_TRUSTED_PROXIES: '',
  });
  const at = (network: number, n: number) => new Client(`127.0.${network}.${n + 1}`, lango.port);
  const strangers = Array.from({ length: STRANGERS }, (_, n) => at(1, n));
  const customers = Array.from({ length: CUSTOMERS }, (_, n) => at(2, n));
  for (const [n, { address }] of customers.entries()) router.join({ mac: customersMac(n), address });
  try {
    return await measured(lango, books.dataDir, strangers, customers);
  } finally {
    for (const client of [...strangers, ...customers]) client.close();
    await lango.stop();
    await router.stop();
    books.remove();
  }
}

const customersMac = (n: number) => macOf(USERS * 3 + n);

async function measured(
  lango: Running,
  dataDir: string,
  strangers: readonly Client[],
  customers: readonly Client[],
): Promise<Figure[]> {
  const before = bytesIn(dataDir);
  const endsAt = performance.now() + SECONDS * 1_000;
  const mayGoOn = () => performance.now() < endsAt;
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, lango.memory());
  }, 500);
  for (const stranger of strangers) for (let n = 0; n < HELD_BY_EACH; n += 1) stranger.hold(mayGoOn);
  const [tries, sales] = await Promise.all([tryEverything(strangers, mayGoOn), sell(customers, mayGoOn)]);
  clearInterval(watch);
  const times = sales.times.toSorted((a, b) => a - b);
  const grown = (bytesIn(dataDir) - before) / 1_024 / 1_024;
  return [
    figure(`requests of strangers in ${SECONDS} s`, [tries], { least: SECONDS * RATE * 0.95 }),
    figure('purchases beside them', [sales.purchases], { least: 1 }),
    figure("customers' requests: p99", [times[Math.floor(times.length * 0.99)] ?? Number.NaN], { most: 250 }, ' ms'),
    figure('customers refused, or not granted', [sales.refusals.length], { most: 0 }),
    figure('the disk grows by', [grown], { most: 20 }, ' MiB'),
    figure('memory at most', [memory], { most: 300 }, ' MiB'),
  ];
}

/** @returns how many requests were made */
async function tryEverything(strangers: readonly Client[], mayGoOn: () => boolean): Promise<number> {
  const begunAt = performance.now();
  let made = 0;
  while (mayGoOn()) {
    const due = ((performance.now() - begunAt) / 1_000) * RATE;
    for (; made < due; made += 1) {
      // Every address comes to every kind.
      const kind = TRIES[Math.floor(made / STRANGERS) % TRIES.length] as () => Ask;
      // A connection that is cut is what strangers get.
      strangers[made % STRANGERS]?.ask(kind()).catch(() => {});
    }
    await setTimeout(5);
  }
  return made;
}

interface Sales {
  purchases: number;
  /** Of each request, in milliseconds. */
  times: number[];
  refusals: string[];
}

async function sell(customers: readonly Client[], mayGoOn: () => boolean): Promise<Sales> {
  const sales: Sales = { purchases: 0, times: [], refusals: [] };
  const running: Promise<void>[] = [];
  for (let n = 0; mayGoOn(); n += 1) {
    running.push(buy(customers[n % CUSTOMERS] as Client, n % CUSTOMERS, sales));
    await setTimeout(1_000 / PURCHASES_A_SECOND);
  }
  await Promise.all(running);
  if (sales.refusals.length > 0) console.error([...new Set(sales.refusals)].slice(0, 10).join('\n'));
  return sales;
}

/** Somebody orders, pays, asks until it is granted, and goes online. */
async function buy(customer: Client, n: number, sales: Sales): Promise<void> {
  const timed = async (ask: Ask): Promise<Record<string, string>> => {
    const begunAt = performance.now();
    const { status, text } = await customer.ask(ask);
    sales.times.push(performance.now() - begunAt);
    if (status !== 200) throw new Error(`${ask.path}: ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text) as Record<string, string>;
  };
  const person = { phone_number: `+${phoneOf(USERS * 3 + n)}`, mac_address: customersMac(n) };
  try {
    const order = await timed(post('/api/initiate-payment/', { ...person, bundle_id: 1 }));
    const page = new URL(order['redirect_url'] ?? '');
    await customer.ask({ method: 'POST', path: page.pathname, body: 'outcome=completed&webhook=once', headers: FORM });
    const path = `/api/payment-status/${order['order_reference']}/`;
    for (let asked = 0; (await timed({ path }))['payment_status'] !== 'COMPLETED'; asked += 1) {
      if (asked === 30) throw new Error('Paid for, and not granted within 30 s.');
      await setTimeout(1_000);
    }
    await timed(post('/api/verify/', person));
    await timed({ path: `/api/user-status/${person.phone_number}/` });
    sales.purchases += 1;
  } catch (error) {
    sales.refusals.push(String(error));
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true })
    .map(name => statSync(join(folder, String(name))))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
