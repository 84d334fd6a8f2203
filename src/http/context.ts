/** What the resources work with. Built by the composition root; nothing here names an adapter. */
import type { GuardedClock } from '../domain/clock-guard.ts';
import type { Mac } from '../domain/mac.ts';
import type { JobState, Log, Passwords, PaymentProvider, RouterSettings } from '../domain/ports.ts';
import type { ProofCodes } from '../domain/proof-codes.ts';
import type { Refunder } from '../domain/refunding.ts';
import type { Settler } from '../domain/settlement.ts';
import type { Site } from '../domain/site.ts';
import type { Commit, Policy, Reads } from '../domain/transaction.ts';
import type { RateLimits } from './rate-limits.ts';

export interface Context {
  readonly policy: Policy;
  /** Two letters; phone numbers without a country code are of this one. */
  readonly defaultCountry: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
  readonly reads: Reads;
  /** Another number with every commit. */
  readonly revision: () => number;
  readonly commit: Commit;
  readonly clock: GuardedClock;
  readonly log: Log;
  readonly site: Site;
  /** The default router's settings by the environment. */
  readonly configuredRouter: RouterSettings | null;
  readonly provider: PaymentProvider;
  readonly settler: Settler;
  readonly refunder: Refunder;
  readonly passwords: Passwords;
  readonly limits: RateLimits;
  /**
   * Brings the router in line with a person's access. Resolves after two seconds at most; the reconciler does the rest.
   * Never throws.
   */
  readonly applyAccess: (userId: number) => Promise<void>;
  /**
   * The same for a phone that may be online and is not; every few seconds at most. Never throws.
   * @param whom `though_online`: also one that seems to be online, to learn whether it still is
   */
  readonly wake: (mac: Mac, whom?: 'though_online') => Promise<void>;
  /** Records, for a later write, that a device was seen. */
  readonly recordSeen: (deviceId: number, ip: string | null) => void;
  readonly proofCodes: ProofCodes;
  /** For `/health/`. */
  readonly health: () => Health;
  /** What the settings page shows of the environment. */
  readonly configured: ConfiguredFacts;
  readonly vitals: () => Promise<Vitals>;
  readonly jobs: () => JobState[];
  /** Aborted when the appliance stops: replies without an end come to theirs. */
  readonly stopping: AbortSignal;
}

/** Of secrets, only whether they are there. */
export interface ConfiguredFacts {
  paymentEnvironment: 'sandbox' | 'live';
  /** True: orders can be paid, and no money moves. */
  practicePayments: boolean;
  paymentKey: boolean;
  smsProvider: string;
  smsKey: boolean;
  smsSenderId: string | null;
  /** True: the log says more than it should in production. */
  debug: boolean;
  /** Host names by which browsers reach the appliance and its frontends. */
  hosts: readonly string[];
}

/** How the machine does. */
export interface Vitals {
  uptimeSeconds: number;
  memoryBytes: number;
  /** Of the disk that the books are on; null: it does not say. */
  disk: { usedBytes: number; totalBytes: number } | null;
}

export interface Health {
  databaseConnected: boolean;
  /** What is wrong, one sentence each; empty when all is well. */
  problems: string[];
  /** What works as it was set, and yet should not stay so. */
  warnings: string[];
}
