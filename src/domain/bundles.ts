/** What is for sale. See docs/interface.md: Bundle. */
import { type Edit, requireVersion } from './edits.ts';
import { found, LangoError } from './errors.ts';
import type { Money } from './money.ts';
import type { Instant } from './time.ts';
import type { StaffTx } from './transaction.ts';

export interface Bundle {
  id: number;
  name: string;
  description: string;
  price: Money;
  /** 36 s to 8,760 h. */
  durationSeconds: number;
  isActive: boolean;
  /** Where it is free: how often a device and a number may take it. */
  freeEveryHours: number;
  displayOrder: number;
  /** Router user profile that gives this bundle its speed; null: the appliance's default profile. */
  routerProfile: string | null;
  createdAt: Instant;
  /** Counts edits, from 1. */
  version: number;
}

/** Archived bundles are in none of these, unless a name says otherwise. Lists: display order, then price, then id. */
export interface BundleReads {
  byId(id: number): Bundle | null;
  list(): Bundle[];
  listActive(): Bundle[];
  /** Archived ones too: what was sold keeps its speed. */
  profileOf(id: number): string | null;
}

export interface BundleWrites extends BundleReads {
  insert(bundle: Omit<Bundle, 'id' | 'version'>): Bundle;
  update(id: number, change: UpdateBundle['change'] & { version: number }): void;
  /** True when a payment or a voucher names it. */
  isReferenced(id: number): boolean;
  archive(id: number, now: Instant): void;
  remove(id: number): void;
}

type BundleFields = Omit<Bundle, 'id' | 'createdAt' | 'version'>;

export function createBundle(tx: StaffTx, { bundle }: { bundle: BundleFields }): Bundle {
  const created = tx.bundles.insert({ ...bundle, createdAt: tx.now });
  tx.record('bundle.create', 'bundle', created.id, null, created);
  return created;
}

interface UpdateBundle {
  bundleId: number;
  /** The version that the edit was made from; left out: whatever stands now is changed. */
  version?: number | undefined;
  change: Edit<BundleFields>;
}

/**
 * Orders and vouchers made before keep the hours they were sold with.
 * @throws LangoError NOT_FOUND no such bundle
 * @throws LangoError CONFLICT it was edited since `version`
 */
export function updateBundle(tx: StaffTx, { bundleId, version, change }: UpdateBundle): Bundle {
  const before = requireBundle(tx, bundleId);
  requireVersion('bundle', before.version, version);
  tx.bundles.update(bundleId, { ...change, version: before.version + 1 });
  const after = requireBundle(tx, bundleId);
  tx.record('bundle.update', 'bundle', bundleId, before, after);
  return after;
}

/** Removes a bundle that nobody bought; archives one with a history. @throws LangoError NOT_FOUND */
export function deleteBundle(tx: StaffTx, { bundleId }: { bundleId: number }): { archived: boolean } {
  const before = requireBundle(tx, bundleId);
  const archived = tx.bundles.isReferenced(bundleId);
  if (archived) tx.bundles.archive(bundleId, tx.now);
  else tx.bundles.remove(bundleId);
  tx.record('bundle.delete', 'bundle', bundleId, before, { archived });
  return { archived };
}

/** @throws LangoError NOT_FOUND */
export function requireBundle(reads: { bundles: BundleReads }, bundleId: number): Bundle {
  return found(reads.bundles.byId(bundleId), 'bundle');
}

/** @throws LangoError BUNDLE_UNAVAILABLE */
export function requireBundleForSale(reads: { bundles: BundleReads }, id: number): Bundle {
  const bundle = reads.bundles.byId(id);
  if (bundle === null || !bundle.isActive) {
    throw new LangoError('BUNDLE_UNAVAILABLE', 'This bundle is not for sale. Please choose another one.');
  }
  return bundle;
}
