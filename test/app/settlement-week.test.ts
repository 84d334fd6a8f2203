/**
 * A week of payments, with everything that goes wrong in one: notifications that are lost, doubled and late, a
 * provider that is down, an appliance that is killed, a clock that jumps. At its end every order that was paid has
 * been granted once, and no other one. The whole week runs on the engine by itself (books, settler, jobs), a day of
 * it on the whole appliance over HTTP.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Actor } from '../../src/domain/audit.ts';
import { guardClock } from '../../src/domain/clock-guard.ts';
import { type Commands, runCommand } from '../../src/domain/commands.ts';
import { LangoError } from '../../src/domain/errors.ts';
import { type Phone, parsePhone } from '../../src/domain/phone.ts';
import type { CheckoutRequest, Log, PaymentProvider, Verification, WebhookEvent } from '../../src/domain/ports.ts';
import { createSettler } from '../../src/domain/settlement.ts';
import { type Instant, toEpochMs } from '../../src/domain/time.ts';
import type { Commit, Reads } from '../../src/domain/transaction.ts';
import { heartbeatJob } from '../../src/jobs/housekeeping.ts';
import { createSchedule } from '../../src/jobs/schedule.ts';
import { settlePendingJob } from '../../src/jobs/settle-pending.ts';
import { createLog } from '../../src/log.ts';
import { openForReading, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { recount } from '../../src/store/recount.ts';
import { readsOf, transactionsOf } from '../../src/store/repositories.ts';
import { DATABASE_FILE } from '../../src/store/store.ts';
import { ACTOR, DAY_BUNDLE, POLICY } from '../support/books.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { pagesAreBuilt } from '../support/pages.ts';
import { freePort } from '../support/ports.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Orders are asked about for two days, and a little longer where that was not possible. */
const AFTERMATH = 51 * HOUR;
/** How often the job runs that asks about open orders. */
const TICK = 5 * SECOND;

const PEOPLE = 8_000;
const VOUCHERS = 200;
const REQUESTS_PER_MINUTE = 60;

const START = '2026-11-16T00:00:00.000Z';
const ADMIN_TOKEN = 'the-admin-token-of-the-week-0123456789';
const ADMIN_PASSWORD = 'correct horse battery staple';
const WEBHOOK_SECRET = 'whsec_0123456789abcdef0123456789abcdef';
const API_KEY = 'sk_live_0123456789abcdef0123456789abcdef';

/** Anything that must be in no line of the log. */
const LEAK = new RegExp(
  [
    String.raw`(?<![\dA-Za-z])\+?255\d{9}(?!\d)`,
    String.raw`\b[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}\b`,
    ADMIN_TOKEN,
    ADMIN_PASSWORD,
    WEBHOOK_SECRET,
    API_KEY,
  ].join('|'),
);

/** How much happens, and for how long. */
interface Scale {
  days: number;
  /** Some arrive while provider or appliance are down, and cannot order. */
  arrivals: number;
  crashes: number;
  vouchers: number;
  /** When the wall clock jumps, and by how much. */
  jumps: readonly [at: number, by: number][];
  /** Of the day, in which most people come. */
  evening: readonly [from: number, to: number];
}

/** Numbers from 0 to 1 that are the same in every run. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What comes next, by time; what is due at one time comes in the order it was planned. */
class Agenda {
  readonly #heap: { at: number; order: number; act: () => unknown }[] = [];
  #planned = 0;

  get next(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  plan(at: number, act: () => unknown): void {
    const heap = this.#heap;
    heap.push({ at, order: this.#planned++, act });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) break;
      this.#swap(child, parent);
      child = parent;
    }
  }

  take(): () => unknown {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) throw new RangeError('Nothing is planned.');
    if (heap.length > 0) {
      heap[0] = last;
      for (let parent = 0; ; ) {
        const [left, right] = [2 * parent + 1, 2 * parent + 2];
        let earliest = parent;
        if (left < heap.length && this.#isBefore(left, earliest)) earliest = left;
        if (right < heap.length && this.#isBefore(right, earliest)) earliest = right;
        if (earliest === parent) break;
        this.#swap(parent, earliest);
        parent = earliest;
      }
    }
    return first.act;
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b] as (typeof heap)[number], heap[a] as (typeof heap)[number]];
  }
}

/** What a person does with the payment page, and what is paid then. */
interface Deal {
  reference: string;
  price: number;
  /** What the provider says from when on, in order of time. */
  states: { from: number; answer: Partial<Verification> & Pick<Verification, 'state'> }[];
  /** When the whole price was there; null: it never was. */
  paidAt: number | null;
  /** When the provider said so to the appliance that then granted. */
  toldAt: number | null;
  isGranted: boolean;
  /** What staff are to be told of it. */
  review: string | null;
}

const KINDS = [
  ['soon', 0.88],
  ['late', 0.02],
  ['after a failure', 0.02],
  ['twice the price', 0.005],
  ['half the price', 0.01],
  ['in another currency', 0.005],
  ['for another order', 0.005],
  ['never, and cancelled', 0.02],
  ['never, and forged', 0.01],
  ['never', 0.025],
] as const;

/** The third party: takes orders, is paid, answers questions when it is up, and sends notifications. */
class Till implements PaymentProvider {
  readonly name = 'sandbox';
  readonly capabilities: PaymentProvider['capabilities'] = {
    currencies: 'any',
    refunds: 'none',
    repeatableRefunds: false,
    walledGarden: [],
    requestsPerMinute: REQUESTS_PER_MINUTE,
  };
  readonly deals = new Map<string, Deal>();
  /** When it was asked, by life of the appliance: a budget does not outlive the process that keeps it. */
  readonly askedInLife: number[][] = [[]];
  asked = 0;

  readonly #now: () => number;
  readonly #isDown: () => boolean;
  readonly #open: (request: CheckoutRequest, wasAnswered: boolean) => Deal;
  readonly #random: () => number;

  constructor(world: {
    now: () => number;
    isDown: () => boolean;
    open: (request: CheckoutRequest, wasAnswered: boolean) => Deal;
    random: () => number;
  }) {
    this.#now = world.now;
    this.#isDown = world.isDown;
    this.#open = world.open;
    this.#random = world.random;
  }

  async createCheckout(request: CheckoutRequest) {
    if (this.#isDown()) throw unavailable();
    // Some answers are lost after the order was taken, and some of those people are asked for their PIN all the same.
    const wasAnswered = this.#random() > 0.01;
    this.deals.set(request.orderReference, this.#open(request, wasAnswered));
    if (!wasAnswered) throw unavailable();
    return {
      redirectUrl: `http://till.invalid/${request.orderReference}`,
      paymentReference: `P${request.orderReference}`,
    };
  }

  async verify({ orderReference }: { orderReference: string }): Promise<Verification> {
    const now = this.#now();
    this.asked += 1;
    this.askedInLife.at(-1)?.push(now);
    // The answer takes a while, in which the appliance may be killed.
    await new Promise(resolve => setImmediate(resolve));
    if (this.#isDown()) throw unavailable();
    const deal = this.deals.get(orderReference);
    const current = deal?.states.findLast(({ from }) => from <= now)?.answer;
    if (deal === undefined || current === undefined) return { ...NOTHING_SAID, state: deal ? 'pending' : 'unknown' };
    if (current.state === 'completed' && !deal.isGranted) deal.toldAt = now;
    return { ...NOTHING_SAID, paymentReference: `P${orderReference}`, ...current };
  }

  parseWebhook({ rawBody, headers }: { rawBody: Buffer; headers: Readonly<Record<string, unknown>> }): WebhookEvent {
    const { event, order, state } = JSON.parse(rawBody.toString());
    const isOurs = headers['x-till-secret'] === WEBHOOK_SECRET;
    return {
      authenticity: isOurs ? 'signed' : 'invalid',
      eventKey: event,
      orderReference: order,
      paymentReference: `P${order}`,
      claimedState: state,
      amount: null,
      phone: null,
      reply: null,
    };
  }

  async refund(): Promise<never> {
    throw unavailable();
  }

  async refundStatus(): Promise<never> {
    throw unavailable();
  }
}

const NOTHING_SAID = { amount: null, paymentReference: null, transactionId: null, channel: null, payerPhone: null };

function unavailable(): LangoError {
  return new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', 'Down.', { cause: new Error(`key ${API_KEY.slice(0, 7)}…`) });
}

/** The appliance between two deaths. */
interface Life {
  reads: Reads;
  commit: Commit;
  /** What it believes the time to be. */
  now(): Instant;
  order(person: number): Promise<void>;
  deliverWebhook(body: string, secret: string): Promise<void>;
  redeem(person: number, code: string): Promise<void>;
  run(job: 'settle pending' | 'heartbeat'): Promise<unknown>;
  /** It stops in the middle of whatever it does; nobody says goodbye. What it was doing never ends. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

interface World {
  dataDir: string;
  clock: ManualClock;
  provider: Till;
  write(line: string): void;
}

type Start = (world: World) => Promise<Life>;

const phoneOf = (person: number) => parsePhone(`+25571${String(2_000_000 + person).padStart(7, '0')}`, 'TZ') as Phone;

/** Books, settler and jobs, wired as the composition root wires them, without thread and sockets. */
const startEngine: Start = async ({ dataDir, clock: machineClock, provider, write }) => {
  const log: Log = createLog('debug', { write });
  const db = openForWriting(join(dataDir, DATABASE_FILE));
  db.pragma('synchronous = OFF');
  migrate(db);
  const transaction = transactionsOf(db, POLICY);
  const reads = readsOf(db);
  const clock = guardClock(machineClock, { lastKnown: reads.settings.get('heartbeat')?.at ?? null });
  const commit = (async (name: keyof Commands, input: unknown, actor: Actor | null = null) => {
    // The dead do not answer.
    if (!db.open) return new Promise(() => {});
    return db.transaction(() => runCommand(transaction(clock.now(), actor), name, input)).immediate();
  }) as Commit;
  const onGranted = async () => {};
  const settler = createSettler({ provider, reads, commit, clock, log, onlineMacs: () => [], onGranted });
  const { requestsPerMinute } = provider.capabilities;
  const jobs = [settlePendingJob({ reads, commit, clock, settler, requestsPerMinute }), heartbeatJob(commit)];
  const schedule = createSchedule(jobs, { clock, log });
  await commit('recheckUnsettled', { requestsPerMinute });
  return {
    reads,
    commit,
    now: clock.now,
    run: schedule.run,
    async order(person) {
      const phone = phoneOf(person);
      const input = { phone, bundleId: 1, language: null, mac: null, ip: null, madeFrom: null };
      const { orderReference, amount, expiresAt, id } = await commit('openOrder', input);
      const urls = { returnUrl: 'http://wifi.invalid/', webhookUrl: 'http://wifi.invalid/api/payment-webhook/' };
      const checkout = await provider.createCheckout({
        orderReference,
        amount,
        phone,
        description: '',
        expiresAt,
        ...urls,
      });
      await commit('attachCheckout', { paymentId: id, ...checkout });
    },
    async deliverWebhook(rawBody, secret) {
      const event = provider.parseWebhook({ rawBody: Buffer.from(rawBody), headers: { 'x-till-secret': secret } });
      const { outcome, payment } = await commit('recordWebhook', { event, rawBody, ip: null });
      if (outcome !== 'refused' && payment !== null) await settler.settle(payment, 'signed_webhook');
    },
    async redeem(person, code) {
      const input = { code, phone: phoneOf(person), language: null, device: null, onlineMacs: [] };
      await commit('redeemVoucher', input);
    },
    async kill() {
      db.close();
    },
    async end() {
      db.close();
    },
  };
};

/** The whole appliance, over HTTP. */
const startAppliance: Start = async ({ dataDir, clock, provider, write }) => {
  await pagesAreBuilt();
  const port = await freePort();
  const config = readConfig({
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(port),
    LANGO_BASE_URL: `http://127.0.0.1:${port}`,
    LANGO_TRUSTED_PROXIES: '127.0.0.1',
    LANGO_ADMIN_USERNAME: 'owner',
    LANGO_ADMIN_PASSWORD: ADMIN_PASSWORD,
    SIMPLE_ADMIN_TOKEN: ADMIN_TOKEN,
    LANGO_PAYMENT_PROVIDER: 'sandbox',
    LANGO_PAYMENT_API_KEY: API_KEY,
    LANGO_PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
  });
  let writer: Worker | null = null;
  process.once('worker', worker => {
    writer = worker;
  });
  const app = await startApp(config, { log: createLog('debug', { write }), clock, provider, startJobs: false });
  let isDead = false;

  async function post(path: string, body: string, headers: Record<string, string>, expected: readonly number[]) {
    const signal = AbortSignal.timeout(20_000);
    const options = { method: 'POST', body, signal, headers: { 'content-type': 'application/json', ...headers } };
    try {
      const response = await fetch(app.url + path, options);
      await response.arrayBuffer();
      assert.ok(expected.includes(response.status) || isDead, `${path} was answered with ${response.status}`);
    } catch (error) {
      if (!isDead) throw error;
    }
  }
  /** People come from addresses of their own. */
  const from = (person: number) => ({ 'x-forwarded-for': `10.0.${person >> 8}.${person & 255}` });
  const { reads, commit, clock: guarded } = app.context;
  return {
    reads,
    commit,
    now: guarded.now,
    run: app.schedule.run,
    order: person =>
      post(
        '/api/initiate-payment/',
        JSON.stringify({ phone_number: phoneOf(person), bundle_id: 1 }),
        from(person),
        [200, 429, 502],
      ),
    deliverWebhook: (body, secret) => post('/api/payment-webhook/', body, { 'x-till-secret': secret }, [200, 400]),
    redeem: (person, code) =>
      post(
        '/api/vouchers/redeem/',
        JSON.stringify({ phone_number: phoneOf(person), voucher_code: code }),
        from(person),
        [200],
      ),
    async kill() {
      isDead = true;
      await writer?.terminate();
      // Frees the port, the folder and the reading connection; what is to be saved at the end finds nobody who saves it.
      await app.close().catch(() => {});
    },
    end: app.close,
  };
};

test('a week of 20,000 payments ends with every paid order granted once, and no other', async t => {
  await liveThrough(t, startEngine, {
    days: 7,
    arrivals: 24_500,
    crashes: 50,
    vouchers: VOUCHERS,
    jumps: [
      [2.02 * DAY, 3 * HOUR],
      [4.03 * DAY, -3 * HOUR],
    ],
    evening: [16 * HOUR, 23 * HOUR],
  });
});

test('so does an evening on the whole appliance', async t => {
  await liveThrough(t, startAppliance, {
    days: 1,
    arrivals: 500,
    crashes: 5,
    vouchers: 20,
    jumps: [
      [19.02 * HOUR, 3 * HOUR],
      [20.03 * HOUR, -3 * HOUR],
    ],
    evening: [18 * HOUR, 22 * HOUR],
  });
});

async function liveThrough(t: TestContext, start: Start, scale: Scale): Promise<void> {
  const { till, dataDir, leaks, report } = await run(t, start, scale);
  const db = openForReading(join(dataDir, DATABASE_FILE));
  t.after(() => db.close());

  const orders = new Map(
    db
      .prepare<[], { reference: string; grants: number; status: string; review: string | null }>(
        `SELECT order_reference AS reference, status, review,
           (SELECT count(*) FROM grants WHERE source = 'payment' AND source_id = payments.id) AS grants
         FROM payments`,
      )
      .all()
      .map(row => [row.reference, row]),
  );
  const paid = [...till.deals.values()].filter(deal => deal.paidAt !== null);
  assert.ok(paid.length >= scale.arrivals * 0.8, `${paid.length} orders were paid`);
  const notGranted = paid.filter(deal => orders.get(deal.reference)?.grants !== 1);
  assert.deepEqual(notGranted.slice(0, 5), [], `${notGranted.length} paid orders were not granted exactly once`);
  const isPaid = new Set(paid.map(deal => deal.reference));
  const gifts = [...orders.values()].filter(row => row.grants > 0 && !isPaid.has(row.reference));
  assert.deepEqual(gifts.slice(0, 5), [], `${gifts.length} orders were granted and not paid`);
  assert.ok([...orders.values()].every(row => (row.status === 'completed') === (row.grants === 1)));
  for (const { reference, review } of till.deals.values())
    assert.equal(orders.get(reference)?.review, review, reference);
  assert.deepEqual(recount(db), []);

  for (const life of till.askedInLife) assert.ok(busiestMinute(life) <= REQUESTS_PER_MINUTE);
  assert.deepEqual(leaks, []);

  const waits = (deals: readonly Deal[]) =>
    deals.map(deal => (deal.toldAt ?? Number.NaN) - (deal.paidAt ?? 0)).toSorted((a, b) => a - b);
  const all = waits(paid);
  assert.ok(
    all.every(wait => wait >= 0),
    'nobody is granted before the money is there',
  );
  const say = (share: number) => `${((all[Math.floor((all.length - 1) * share)] ?? Number.NaN) / SECOND).toFixed(1)} s`;
  t.diagnostic(`${paid.length} paid of ${orders.size} orders; ${till.asked} questions; ${report}`);
  t.diagnostic(
    `from payment to access: median ${say(0.5)}, 95 % ${say(0.95)}, 99 % ${say(0.99)}, 99.9 % ${say(0.999)}, worst ${say(1)}`,
  );
  assert.ok((all[all.length >> 1] ?? Number.POSITIVE_INFINITY) < 10 * SECOND, 'half of all people are online in 10 s');
}

function busiestMinute(times: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while ((times[last] as number) - (times[first] as number) >= MINUTE) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

async function run(t: TestContext, start: Start, scale: Scale) {
  const began = performance.now();
  // This week is not about the disk, and a slow one would make it long.
  const dataDir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'lango-week-'));
  const clock = manualClock(START);
  const span = scale.days * DAY;
  const beginning = clock.elsewhere();
  const now = () => clock.elsewhere() - beginning;
  const random = mulberry(20_261_116);
  const between = (low: number, high: number) => low + random() * (high - low);
  const agenda = new Agenda();
  const leaks: string[] = [];
  const counts = { lines: 0, notifications: 0, lost: 0, doubled: 0, late: 0, kills: 0, ticks: 0 };

  // ------------------------------------------------------------------------------------------- the third party

  const outages: { from: number; to: number }[] = [];
  for (let down = 0; down < 0.05 * span; ) {
    const from = between(0, span);
    const to = from + between(5 * MINUTE, 45 * MINUTE);
    if (outages.some(other => from < other.to && to > other.from)) continue;
    outages.push({ from, to });
    down += to - from;
  }
  const isDown = () => outages.some(({ from, to }) => from <= now() && now() < to);

  function notify(reference: string, state: string, secret = WEBHOOK_SECRET): void {
    counts.notifications += 1;
    if (random() < 0.3) {
      counts.lost += 1;
      return;
    }
    const isLate = random() < 0.1;
    counts.late += Number(isLate);
    const at = now() + (isLate ? between(MINUTE, 2 * HOUR) : between(SECOND, 4 * SECOND));
    const body = JSON.stringify({ event: `${reference}:${state}`, order: reference, state });
    const deliver = () => act(life => life.deliverWebhook(body, secret));
    agenda.plan(at, deliver);
    if (random() < 0.1) {
      counts.doubled += 1;
      agenda.plan(at + between(0, 10 * MINUTE), deliver);
    }
  }

  function open(request: CheckoutRequest, wasAnswered: boolean): Deal {
    const { amount, orderReference: reference } = request;
    const deal: Deal = {
      reference,
      price: amount.minor,
      states: [],
      paidAt: null,
      toldAt: null,
      isGranted: false,
      review: null,
    };
    const becomes = (at: number, answer: Deal['states'][number]['answer']) => {
      deal.states.push({ from: at, answer });
      agenda.plan(at, () => notify(reference, answer.state));
    };
    const pays = (at: number, minor = amount.minor, change: Partial<Verification> = {}) => {
      becomes(at, { state: 'completed', amount: { minor, currency: amount.currency }, ...change });
      if (minor >= amount.minor && Object.keys(change).length === 0) deal.paidAt = at;
    };
    const soon = now() + between(10 * SECOND, 60 * SECOND);
    if (!wasAnswered) {
      if (random() < 0.5) pays(soon);
      return deal;
    }
    let lot = random();
    const [kind] = KINDS.find(([, share]) => (lot -= share) < 0) ?? ['never'];
    if (kind === 'soon') pays(soon);
    if (kind === 'late') pays(now() + between(35 * MINUTE, 6 * HOUR));
    if (kind === 'after a failure') {
      becomes(soon, { state: 'failed' });
      pays(soon + between(MINUTE, 10 * MINUTE));
    }
    if (kind === 'twice the price') {
      pays(soon, amount.minor * 2);
      deal.review = 'overpaid';
    }
    if (kind === 'half the price') {
      pays(soon, amount.minor / 2);
      deal.review = 'underpaid';
    }
    if (kind === 'in another currency') {
      pays(soon, amount.minor, { amount: { minor: amount.minor, currency: 'KES' } });
      deal.review = 'wrong_currency';
    }
    if (kind === 'for another order') {
      pays(soon, amount.minor, { paymentReference: 'P00000000000000000000' });
      deal.review = 'reference_mismatch';
    }
    if (kind === 'never, and cancelled') becomes(soon, { state: 'cancelled' });
    if (kind === 'never, and forged') {
      agenda.plan(soon, () => notify(reference, 'completed', 'a guess'));
      agenda.plan(soon, () => notify(reference, 'completed'));
    }
    return deal;
  }

  const till = new Till({ now, isDown, open, random });

  // --------------------------------------------------------------------------------------------- the appliance

  let life: Life | null = null;
  function write(line: string): void {
    counts.lines += 1;
    if (LEAK.test(line) && leaks.length < 10) leaks.push(line);
    const granted = line.includes('"payment.completed"') ? /"payment":(\d+)/.exec(line) : null;
    if (granted === null || life === null) return;
    const deal = till.deals.get(life.reads.payments.byId(Number(granted[1]))?.orderReference ?? '');
    if (deal !== undefined) deal.isGranted = true;
  }
  const world: World = { dataDir, clock, provider: till, write };
  life = await start(world);
  let ended = Promise.withResolvers<void>();
  t.after(async () => {
    await life?.end();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Lets the living appliance do something; what it was doing when it dies never ends. */
  async function act(what: (life: Life) => Promise<unknown>): Promise<void> {
    const current = life;
    if (current === null) return;
    const done = what(current).catch((error: unknown) => {
      // Refusals are answers; so is what happens to those who are with a dying appliance.
      if (current === life && !(error instanceof LangoError)) throw error;
    });
    await Promise.race([done, ended.promise]);
  }

  async function die(): Promise<void> {
    const dying = life;
    if (dying === null) return;
    // In the middle of work: a run of the job, an order, a notification.
    const work = [
      act(({ run: runJob }) => runJob('settle pending')),
      act(({ order }) => order(Math.floor(random() * PEOPLE))),
    ];
    const [reference] = [...till.deals.keys()].slice(-1);
    if (reference !== undefined) notify(reference, 'completed');
    await setTimeout(between(0, 4));
    life = null;
    counts.kills += 1;
    ended.resolve();
    await dying.kill();
    await Promise.all(work);
    agenda.plan(now() + between(SECOND, 4 * MINUTE), async () => {
      till.askedInLife.push([]);
      ended = Promise.withResolvers();
      life = await start(world);
    });
  }

  const hour = { ...DAY_BUNDLE, durationSeconds: 3_600 };
  const bundle = await life.commit('createBundle', { bundle: hour }, ACTOR);
  assert.equal(bundle.id, 1);
  const batch = { bundleId: bundle.id, quantity: scale.vouchers, expiryDays: 30, phone: null };
  const { codes } = await life.commit('generateVouchers', batch, ACTOR);

  // -------------------------------------------------------------------------------------------------- the week

  for (let arrival = 0; arrival < scale.arrivals; arrival += 1) {
    // Most people come in the evening; the second they come in is of no matter, and some come together.
    const time = random() < 0.85 ? between(...scale.evening) : between(0, DAY);
    const at = Math.floor(random() * scale.days) * DAY + Math.floor(time / TICK) * TICK;
    const person = Math.floor(random() * PEOPLE);
    agenda.plan(at, () => act(({ order }) => order(person)));
  }
  for (const [index, code] of codes.entries()) {
    agenda.plan(between(0, span), () => act(({ redeem }) => redeem(PEOPLE + index, code)));
  }
  // Each in a part of its own, so that no two deaths coincide.
  for (let crash = 0; crash < scale.crashes; crash += 1) {
    agenda.plan(((crash + between(0.1, 0.9)) * span) / scale.crashes, die);
  }
  for (const [at, by] of scale.jumps) agenda.plan(at, () => clock.jump(by));
  const beat = async () => {
    await act(({ run: runJob }) => runJob('heartbeat'));
    agenda.plan(now() + 10 * MINUTE, beat);
  };
  agenda.plan(MINUTE, beat);

  // The job runs every 5 s; the runs that would find nothing to do are left out.
  const db = openForReading(join(dataDir, DATABASE_FILE));
  t.after(() => db.close());
  const nextDue = db
    .prepare<[], Instant | null>(
      `SELECT min(due) FROM (SELECT min(next_check_at) AS due FROM payments WHERE next_check_at IS NOT NULL
         UNION ALL SELECT min(expires_at) FROM payments WHERE status = 'pending')`,
    )
    .pluck();
  function nextTick(lastTick: number): number {
    const due = nextDue.get() ?? null;
    if (life === null || due === null) return Number.POSITIVE_INFINITY;
    const fromNow = toEpochMs(due) - toEpochMs(life.now());
    return Math.max(Math.ceil((now() + Math.max(0, fromNow)) / TICK) * TICK, lastTick + TICK);
  }

  let lastTick = 0;
  for (;;) {
    const tick = nextTick(lastTick);
    const at = Math.max(now(), Math.min(agenda.next, tick));
    if (at > span + AFTERMATH) break;
    clock.advance(at - now());
    const acts: unknown[] = [];
    while (agenda.next <= at) acts.push(agenda.take()());
    if (tick <= at) {
      lastTick = at;
      counts.ticks += 1;
      acts.push(act(({ run: runJob }) => runJob('settle pending')));
    }
    await Promise.all(acts);
  }

  assert.equal(counts.kills, scale.crashes);
  const seconds = Math.round((performance.now() - began) / SECOND);
  const report = `${JSON.stringify(counts)}; ${outages.length} outages; ${seconds} s on ${availableParallelism()} cores`;
  return { till, dataDir, leaks, report };
}
