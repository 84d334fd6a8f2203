/** Books with many people, a simulated router at the other end of a real connection, and the reconciler between them. */
import { guardClock } from '../../src/domain/clock-guard.ts';
import { createPresence } from '../../src/domain/presence.ts';
import { addSeconds, type Clock } from '../../src/domain/time.ts';
import { createReconciler, type Reconciler } from '../../src/jobs/reconcile-router.ts';
import { createHotspotPort } from '../../src/router/hotspot-port.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../simulator/router.ts';
import { openBooks } from './books.ts';

export interface Reconciled extends AsyncDisposable {
  reconciler: Reconciler;
  router: RouterSimulator;
  /** Of the people, in the order of their numbers. */
  macs: string[];
  /** What has reached the router since this was asked last, logins of ours left out: `/ip/hotspot/user/print`. */
  commands(): string[];
}

export interface ReconciledOptions {
  people: number;
  /** Paid time of each. */
  hours: number;
  clock: Clock;
  /** By which the reconciler tells how long the router takes; default: the same. */
  pace?: Clock;
  router?: RouterSimulatorOptions;
}

export async function startReconciled(options: ReconciledOptions): Promise<Reconciled> {
  const { people, hours, clock, pace = clock, router: knobs } = options;
  const books = openBooks();
  const { db, reads } = books;
  const addUser = db.prepare('INSERT INTO users (phone, max_devices, paid_until, created_at) VALUES (?, 2, ?, ?)');
  const addDevice = db.prepare(
    `INSERT INTO devices (user_id, mac, slot, device_name, ip_address, first_connected, last_seen)
     VALUES (?, ?, 1, 'Device 1', '10.5.50.9', ?, ?)`,
  );
  const now = clock.now();
  const macs = db.transaction(() =>
    Array.from({ length: people }, (_, place) => {
      const mac = `02:00:00:00:${hex(place >> 8)}:${hex(place & 255)}`;
      const { lastInsertRowid } = addUser.run(
        `+2557${String(place).padStart(8, '0')}`,
        addSeconds(now, hours * 3_600),
        now,
      );
      addDevice.run(lastInsertRowid, mac, now, now);
      return mac;
    }),
  )();

  const router = await startRouterSimulator({ username: 'lango', password: 'secret', ...knobs });
  let seen: string[] = [];
  router.on('command', ({ command }) => command === '/login' || seen.push(command));
  const settings = { host: '127.0.0.1', port: router.port, username: 'lango', password: 'secret' };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const port = createHotspotPort({
    settings: { ...settings, ssl: false, sslFingerprint: null, hotspot: null, profile: 'default' },
    log,
    clock,
  });
  const reconciler = createReconciler({
    router: port,
    reads,
    presence: createPresence(),
    hostTable: { askedFrom: () => null },
    whereabouts: { see() {}, placeOf: () => 'here' },
    clock: guardClock(clock, { lastKnown: null }),
    pace,
    log,
  });
  return {
    reconciler,
    router,
    macs,
    commands() {
      const since = seen;
      seen = [];
      return since;
    },
    async [Symbol.asyncDispose]() {
      await port.close();
      await router.stop();
      books[Symbol.dispose]();
    },
  };
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0').toUpperCase();
}
