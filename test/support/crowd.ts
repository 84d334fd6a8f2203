/**
 * People with phones on a site with several routers: they come, pay, walk and go, and routers fail. What is kept here of
 * them is a model of its own of who has paid until when and who is where; nothing of it is asked of the program.
 */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '../../scripts/demo/random.ts';
import type { Phone } from '../../src/domain/phone.ts';
import type { RouterSimulator } from '../simulator/router.ts';
import { ACTOR, DAY_BUNDLE } from './books.ts';
import { createOracle, hasPaid, type Outcome, type Person } from './crowd-oracle.ts';
import { from, type TestSite } from './site.ts';
import { until } from './until.ts';

export interface CrowdOptions {
  people: number;
  seconds: number;
  /** Paid time of the bundles that they buy. */
  bundleSeconds: readonly number[];
  seed: number;
}

/** So often everything rests for the last minute, at whose end routers and books are compared. */
const SEGMENT = 900;
const REST = 60;
const FAULTS_A_SEGMENT = 2;
const FAULTS = ['reboot', 'silence', 'unplugged', 'reset'] as const;
/** Turns of the event loop without a command: what was under way has ended, since both ends of the wire are in it. */
const CALM_TURNS = 25;

/** Lives through the time and holds every second what must be so. */
export async function liveThrough(site: TestSite, options: CrowdOptions): Promise<Outcome> {
  const { app, routers } = site;
  const { people, seconds, bundleSeconds, seed } = options;
  const now = app.clock.elsewhere;
  const outcome: Outcome = {
    paidOffline: 0,
    unpaidOnline: 0,
    offences: [],
    did: {},
    commands: routers.map(() => 0),
    writes: routers.map(() => 0),
  };
  const count = (what: string) => (outcome.did[what] = (outcome.did[what] ?? 0) + 1);
  const fate = seededRandom(seed);
  let second = 0;

  // ------------------------------------------------------------------------------------------- what is to come

  const agenda = new Map<number, (() => unknown)[]>();
  /** Nothing is begun in the minutes of rest. */
  function plan(inSeconds: number, act: () => unknown): void {
    const at = second + inSeconds;
    // The second of the comparison is the last one of the rest.
    const isRest = (at - 1) % SEGMENT >= SEGMENT - REST;
    const rested = isRest ? at + REST : at;
    agenda.set(rested, [...(agenda.get(rested) ?? []), act]);
  }

  /** What has been begun and has not ended; only a silent router makes it last. */
  const underWay = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  function begin(work: Promise<unknown>): void {
    const ended = work.catch(error => failures.push(error)).finally(() => underWay.delete(ended));
    underWay.add(ended);
  }

  const isReachable = routers.map(() => true);
  let silent = 0;
  const total = () => outcome.commands.reduce((sum, commands) => sum + commands, 0);

  async function calm(): Promise<void> {
    for (let turns = 0, before = total(); turns < CALM_TURNS; turns += 1) {
      await setImmediate();
      if (total() !== before) [turns, before] = [0, total()];
    }
  }

  async function rest(): Promise<void> {
    if (silent === 0) await Promise.all(underWay);
    await calm();
    // The writer is a thread of its own: what was committed before has ended when this has.
    for (let before = -1; silent > 0 && before !== total(); ) {
      before = total();
      for (let times = 0; times < 2; times += 1) {
        await app.schedule.run('heartbeat');
        await calm();
      }
    }
  }

  // ------------------------------------------------------------------------------------------------- phones

  const hex = (value: number) => value.toString(16).toUpperCase().padStart(2, '0');
  const crowd = Array.from({ length: people }, (_, place): Person => {
    const mac = `A4:83:E7:00:${hex(place >> 8)}:${hex(place & 255)}`;
    const phone = `+2557${10_000_000 + place}` as Phone;
    const nothing = {
      at: null,
      address: null,
      paidUntil: 0,
      slack: 0,
      isPaying: false,
      askedIn: -1,
      offlineFor: 0,
      unpaidFor: 0,
    };
    return { random: seededRandom(seed * 10_007 + place), mac, phone, leases: [], sessions: new Set(), ...nothing };
  });
  const byMac = new Map(crowd.map(person => [person.mac, person]));
  const networkOf = (router: number) => `10.${5 + router}`;
  let leased = 256;
  function newAddress(network: string): string {
    leased += 1;
    return `${network}.${(leased >> 8) & 255}.${leased & 255}`;
  }
  const isPaid = (person: Person) => hasPaid(person, now());

  for (const [place, router] of routers.entries()) watch(place, router);
  function watch(place: number, router: RouterSimulator): void {
    router.on('login', ({ mac, address }) => byMac.get(mac)?.sessions.add(`${place} ${address}`));
    router.on('logout', ({ mac, address }) => byMac.get(mac)?.sessions.delete(`${place} ${address}`));
    router.on('command', ({ command }) => {
      if (command === '/login') return;
      outcome.commands[place]! += 1;
      if (!command.endsWith('/print')) outcome.writes[place]! += 1;
    });
    router.knobs.rebootMs = 2 ** 30;
    if (place > 0) router.run('/ip/address/add', { address: `${networkOf(place)}.0.1/16`, interface: 'bridge' });
  }

  function appear(person: Person, router: number, address: string): void {
    person.at = router;
    routers[router]!.join({ mac: person.mac, address });
    person.address = address.startsWith('169.254') ? null : address;
    person.offlineFor = 0;
  }

  function arrive(person: Person, router: number): void {
    const { random } = person;
    if (person.at !== null || isOff.has(router)) return;
    const lease = (person.leases[router] ??= newAddress(networkOf(router)));
    if (random.next() < 0.1) {
      count('link-local first');
      appear(person, router, newAddress('169.254'));
      plan(random.int(2, 20), () => person.at === router && person.address === null && appear(person, router, lease));
    } else appear(person, router, lease);
    if (random.next() < 0.5) plan(random.int(0, 3), () => ask(person));
  }

  const upRouters = () => routers.flatMap((router, place) => (isOff.has(place) ? [] : [{ router, place }]));

  function come(person: Person): void {
    const { random } = person;
    const up = upRouters();
    if (up.length === 0) return plan(30, () => come(person));
    count('joins');
    arrive(person, random.pick(up).place);
    plan(random.int(5, 120), () => buy(person));
    plan(random.int(60, 1_200), () => move(person));
  }

  function vanish(person: Person): void {
    const { random } = person;
    if (person.at !== null) routers[person.at]!.leave(person.mac, random.next() < 0.7 ? 'in time' : 'at once');
    person.at = null;
    person.address = null;
  }

  function move(person: Person): void {
    const { at, random } = person;
    // Routers count whole seconds: which of the two came first is not to be known.
    if (person.askedIn === second) return plan(1, () => move(person));
    const others = upRouters().filter(({ place }) => place !== at);
    const what = ['walk', 'leave', 'second row', 'blink'][random.weighted([5, 2, 2, 1])]!;
    if (what === 'leave' || at === null || (what === 'walk' && others.length === 0)) {
      count('leaves');
      vanish(person);
      return plan(random.int(30, 1_800), () => come(person));
    }
    count(what);
    if (what === 'second row') {
      const lease = newAddress(networkOf(at));
      person.leases[at] = lease;
      appear(person, at, lease);
    } else {
      const to = what === 'blink' ? at : random.pick(others).place;
      vanish(person);
      plan(random.int(0, 8), () => arrive(person, to));
    }
    // Some go back at once.
    plan(random.next() < 0.15 ? random.int(20, 40) : random.int(60, 1_200), () => move(person));
  }

  // ------------------------------------------------------------------------------------------------- requests

  function ask(person: Person): void {
    if (person.address === null) return;
    person.askedIn = second;
    count('questions');
    const who = { phone_number: person.phone, mac_address: person.mac };
    begin(app.post('/api/verify/', who, from(person.address)));
  }

  let codes: string[] = [];
  const bundles = await Promise.all(
    bundleSeconds.map((durationSeconds, place) =>
      app.context.commit('createBundle', { bundle: { ...DAY_BUNDLE, name: `${place}`, durationSeconds } }, ACTOR),
    ),
  );

  function buy(person: Person): void {
    const { random } = person;
    const wants = !person.isPaying && (!isPaid(person) || random.next() < 0.1) && random.next() < 0.85;
    if (person.address === null || !wants) return;
    person.isPaying = true;
    person.askedIn = second;
    begin(
      (random.next() < 0.3 ? order(person, person.address) : redeem(person, person.address)).finally(() => {
        person.isPaying = false;
      }),
    );
  }

  function given(person: Person, askedAt: number, durationSeconds: number): void {
    const [earliest, latest] = [Math.max(askedAt, person.paidUntil), Math.max(now(), person.paidUntil + person.slack)];
    person.paidUntil = earliest + durationSeconds * 1_000;
    person.slack = latest - earliest;
    const { random } = person;
    const left = Math.ceil((person.paidUntil - now()) / 1_000);
    plan(Math.max(1, left) + random.int(1, 240), () => buy(person));
  }

  async function redeem(person: Person, address: string): Promise<void> {
    const [bundle] = bundles;
    if (codes.length === 0) {
      const batch = { bundleId: bundle!.id, quantity: 100, expiryDays: 30, phone: null };
      codes = (await app.context.commit('generateVouchers', batch, ACTOR)).codes;
    }
    const voucher = { voucher_code: codes.pop(), phone_number: person.phone, mac_address: person.mac };
    const askedAt = now();
    const { status, body } = await app.post('/api/vouchers/redeem/', voucher, from(address));
    assert.equal(status, 200, JSON.stringify(body));
    count('vouchers');
    given(person, askedAt, bundle!.durationSeconds);
  }

  async function order(person: Person, address: string): Promise<void> {
    const bundle = person.random.pick(bundles);
    const wanted = { phone_number: person.phone, bundle_id: bundle.id, mac_address: person.mac };
    const started = await app.post('/api/initiate-payment/', wanted, from(address));
    assert.equal(started.status, 200, JSON.stringify(started.body));
    const form = new URLSearchParams({ outcome: 'completed', webhook: 'never' });
    await fetch(started.body.redirect_url, { method: 'POST', body: form, redirect: 'manual' });
    const askedAt = now();
    const path = `/api/payment-status/${started.body.order_reference}/`;
    const { body } = await app.get(path, from(address));
    assert.equal(body.access_granted, true, JSON.stringify(body));
    count('payments');
    given(person, askedAt, bundle.durationSeconds);
  }

  // ------------------------------------------------------------------------------------------------- faults

  /** Routers without power. */
  const isOff = new Set<number>();
  const isConnected = (place: number) => app.context.site.routers[place]?.port.state === 'connected';

  async function comeBack(place: number): Promise<void> {
    const router = routers[place]!;
    await router.startListening();
    await until(() => isConnected(place));
    isReachable[place] = true;
  }

  async function fail(place: number): Promise<void> {
    if (!isReachable[place]) return;
    const kind = fate.pick(FAULTS);
    const router = routers[place]!;
    const lasts = fate.int(20, 90);
    count(kind);
    if (kind === 'reset') {
      for (let turns = fate.int(0, 12); turns > 0; turns -= 1) await setImmediate();
      router.dropConnections();
      await until(() => !isConnected(place));
      return comeBack(place);
    }
    isReachable[place] = false;
    if (kind === 'silence') {
      silent += 1;
      router.knobs.silent = true;
      plan(Math.min(lasts, 45), async () => {
        router.knobs.silent = false;
        router.dropConnections();
        await until(() => !isConnected(place));
        await comeBack(place);
        silent -= 1;
      });
      return;
    }
    if (kind === 'reboot') {
      isOff.add(place);
      const wereThere = crowd.filter(({ at }) => at === place);
      router.reboot();
      for (const person of wereThere) vanish(person);
      plan(lasts, () => {
        isOff.delete(place);
        for (const person of wereThere) plan(person.random.int(1, 30), () => arrive(person, place));
        return comeBack(place);
      });
      return;
    }
    await router.stopListening();
    plan(lasts, () => comeBack(place));
  }

  // ------------------------------------------------------------------------------------------------- the day

  const oracle = createOracle(site, { crowd, isReachable, outcome, now });
  const jobs = app.schedule.report();
  for (const person of crowd) plan(person.random.int(0, Math.min(1_800, seconds / 4)), () => come(person));
  for (let segment = 0; segment < seconds; segment += SEGMENT) {
    // All are over before the minute of rest, as far as they last so long.
    for (let fault = 0; fault < FAULTS_A_SEGMENT; fault += 1)
      plan(segment + fate.int(10, SEGMENT - REST - 100), () => fail(fate.int(0, routers.length - 1)));
  }
  for (second = 1; second <= seconds; second += 1) {
    app.clock.advance(1_000);
    for (const router of routers) router.settle();
    const acts = agenda.get(second) ?? [];
    agenda.delete(second);
    for (const { name, periodSeconds } of jobs) if (second % periodSeconds === 0) begin(app.schedule.run(name));
    for (const act of acts) await act();
    await rest();
    if (failures.length > 0) throw failures[0];
    for (const person of crowd) oracle.look(person);
    if (second % SEGMENT === 0) oracle.compare();
  }
  return outcome;
}
