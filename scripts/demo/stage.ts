/** What the scenes of the demo's history work with: the domain's commands, each as of its own moment. */
import type { Database } from 'better-sqlite3';
import type { Bundle } from '../../src/domain/bundles.ts';
import { fromEpochMs, type Instant, toEpochMs } from '../../src/domain/time.ts';
import type { Policy, StaffTx, Tx } from '../../src/domain/transaction.ts';
import type { SandboxCheckout } from '../../src/sandbox/checkouts.ts';
import { transactionsOf } from '../../src/store/repositories.ts';
import type { BundleName, Colleague } from './cafe.ts';

export interface Scene {
  at: Instant;
  play(stage: Stage): void;
}

export interface Stage {
  policy: Policy;
  baseUrl: string;
  /** Of a person on the portal, or of the appliance itself. */
  portal(at: Instant): Tx<null>;
  staff(at: Instant, who: Colleague): StaffTx;
  bundles: Map<BundleName, Bundle>;
  admins: Map<Colleague, number>;
  /** Of each batch, those that nobody has taken. */
  codes: Map<string, string[]>;
  batches: Map<string, number>;
  /** What the payment service remembers. */
  checkouts: SandboxCheckout[];
}

/** @param tellsFrom from then on people get messages: they are worth keeping for some days only */
export function createStage(db: Database, policy: Policy, baseUrl: string, tellsFrom: Instant): Stage {
  const quietly = transactionsOf(db, { ...policy, smsEnabled: false });
  const loudly = transactionsOf(db, policy);
  const transaction = (at: Instant) => (at < tellsFrom ? quietly : loudly);
  const admins = new Map<Colleague, number>();
  return {
    policy,
    baseUrl,
    portal: at => transaction(at)(at, null),
    staff: (at, who) => transaction(at)(at, { adminId: admins.get(who) ?? null, name: who, ip: '10.5.50.5' }),
    bundles: new Map(),
    admins,
    codes: new Map(),
    batches: new Map(),
    checkouts: [],
  };
}

/** @throws Error it is not on the stage yet: a scene comes too early */
export function known<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`${String(key)} is not there yet.`);
  return value;
}

export const inOrder = <Moment extends { at: Instant }>(moments: readonly Moment[]): Moment[] =>
  moments.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

export const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);

/** Moments have milliseconds in life. */
export const secondsAfter = (at: Instant, seconds: number): Instant =>
  fromEpochMs(toEpochMs(at) + seconds * 1_000 + 137);
