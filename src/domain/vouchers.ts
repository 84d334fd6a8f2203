/** Voucher codes: made in batches, redeemed once. See docs/interface.md: Voucher; docs/rules.md: Vouchers. */
import { randomBytes } from 'node:crypto';
import { grantTime } from './access.ts';
import { type Bundle, requireBundle } from './bundles.ts';
import { isCashier, requireVoucherAllowance } from './cashiers.ts';
import { isPlaced, type NamedDevice, placePaidDevice } from './devices.ts';
import { found, LangoError, refuseField } from './errors.ts';
import type { Mac } from './mac.ts';
import type { Money } from './money.ts';
import { type Phone, stripSeparators } from './phone.ts';
import { queueSms, queueVoucherSms } from './sms.ts';
import { addSeconds, type Instant, SECONDS_PER_DAY } from './time.ts';
import type { IdRange, StaffTx, Tx } from './transaction.ts';
import { ensureUser, refuseBlocked, setLanguage } from './users.ts';

/** No 0 O 1 I L: what looks alike on paper is left out. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_LENGTH = 12;

export interface Voucher {
  id: number;
  batchId: number;
  bundleId: number;
  bundleName: string;
  /** `XXXX-XXXX-XXXX` */
  code: string;
  createdAt: Instant;
  /** The code must be used before this. */
  expiresAt: Instant;
  usedBy: number | null;
  /** Phone of the person who used it; null when unused or forgotten. */
  usedByPhone: Phone | null;
  usedAt: Instant | null;
  deviceAllowed: boolean | null;
  revokedAt: Instant | null;
  revokedBy: string | null;
  /** Who made the batch. */
  madeBy: string;
  /** null, and what follows: nobody has sold it. */
  saleId: number | null;
  soldBy: string | null;
  soldAt: Instant | null;
  price: Money | null;
  /** Internet time that the code gives; as it was when the batch was made. */
  durationSeconds: number;
}

export interface VoucherBatch {
  id: number;
  uid: string;
  bundleId: number;
  quantity: number;
  durationSeconds: number;
  /** `giveaway`: not for sale. */
  kind: 'stock' | 'giveaway';
  /** What one is sold for, whatever becomes of the bundle's price. */
  price: Money;
  expiresAt: Instant;
  createdBy: string;
  createdAt: Instant;
}

/** What has become of the codes of a batch. */
interface BatchCounts {
  used: number;
  revoked: number;
  /** Neither used, nor revoked, nor expired. */
  available: number;
  /** Available, and not sold: 0 where they are given away. */
  inStock: number;
  sold: number;
  /** Used, though nobody has sold them. */
  usedUnsold: number;
}

export interface BatchRecord extends VoucherBatch, BatchCounts {
  bundleName: string;
}

export interface VoucherFilter {
  id?: number | undefined;
  isUsed?: boolean | undefined;
  bundleId?: number | undefined;
  batchId?: number | undefined;
  saleId?: number | undefined;
  /** Any accepted writing of a code, or a part of one. */
  code?: string | undefined;
  /**
   * Who searches, where unused codes of others' batches are not theirs to read: those are found by the whole code alone.
   * Parts would let them be guessed letter by letter.
   */
  reader?: string | undefined;
}

export interface VoucherReads {
  byId(id: number): Voucher | null;
  byCode(code: string): Voucher | null;
  /** Those a person has used, newest first. */
  ofUser(userId: number, limit: number): Voucher[];
  /** Reads those of the filter among some ids, newest first: bounded work, whatever the filter. */
  walk(filter: VoucherFilter): (ids: IdRange) => Voucher[];
  lastId(): number;
  /** Newest first. */
  batches(now: Instant, page: { limit: number; offset: number }): BatchRecord[];
  countBatches(): number;
  batchById(id: number, now: Instant): BatchRecord | null;
  /** The oldest batch with codes of the bundle to sell. */
  oldestStock(bundleId: number, now: Instant): BatchRecord | null;
  /** Codes of the bundle that can be sold. */
  inStockOf(bundleId: number, now: Instant): number;
  /** Codes that somebody has made since, whatever became of them. */
  countMadeBy(name: string, since: Instant): number;
  /** Newest first. */
  list(filter: VoucherFilter, page: { limit: number; offset: number }): Voucher[];
  count(filter: VoucherFilter): number;
}

export interface VoucherWrites extends VoucherReads {
  insertBatch(batch: Omit<VoucherBatch, 'id' | 'uid'>): VoucherBatch;
  /** Leaves out codes that exist already. @returns those that were new */
  insert(
    batch: { batchId: number; bundleId: number; createdAt: Instant; expiresAt: Instant },
    codes: readonly string[],
  ): string[];
  /** Takes the voucher if nobody has: one conditional update, so two redeemers cannot both succeed. */
  claim(claim: { id: number; userId: number; now: Instant }): boolean;
  /** Only what nobody has used. @returns false when it was used or revoked already */
  revoke(id: number, by: string, now: Instant): boolean;
  /** Everything of the batch that nobody has used. @returns how many */
  revokeBatch(batchId: number, by: string, now: Instant): number;
  setDeviceAllowed(id: number, allowed: boolean): void;
  /** As many of the batch as that, of those in stock the first that were made. */
  sellFromStock(batchId: number, quantity: number, saleId: number): void;
  sell(id: number, saleId: number): void;
  /** Revokes what nobody has used of a sale, and takes it out of it. @returns how many */
  takeBack(saleId: number, by: string, now: Instant): number;
}

/** Case, spaces and dashes are ignored on input. @returns the canonical code, or null when it cannot be one */
export function parseVoucherCode(text: string): string | null {
  const letters = stripSeparators(text).toUpperCase();
  if (letters.length !== CODE_LENGTH || [...letters].some(letter => !ALPHABET.includes(letter))) return null;
  return grouped(letters);
}

const grouped = (letters: string): string => `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`;

/** A code or a part of one, as a search wants it: letters and digits alone, upper case. */
export function searchCode(text: string): string {
  return stripSeparators(text)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');
}

/** Codes from a CSPRNG, without bias: bytes past the last whole multiple of the alphabet are thrown away. */
function* voucherCodes(): Generator<string, never> {
  const limit = 256 - (256 % ALPHABET.length);
  let letters = '';
  for (;;) {
    for (const byte of randomBytes(4_096)) {
      if (byte < limit) letters += ALPHABET[byte % ALPHABET.length];
      if (letters.length === CODE_LENGTH) {
        yield grouped(letters);
        letters = '';
      }
    }
  }
}

/** Many in one statement take a fifth of the time that they take one by one. */
const INSERTED_AT_ONCE = 1_000;

interface GenerateVouchers {
  bundleId: number;
  quantity: number;
  expiryDays: number;
  /** `stock` unless said otherwise. */
  kind?: VoucherBatch['kind'] | undefined;
  /** The codes are sent there by SMS, ten at most. */
  phone: Phone | null;
}

export interface GeneratedVouchers {
  batch: VoucherBatch;
  bundle: Bundle;
  codes: string[];
}

/**
 * All or nothing: one batch, one transaction.
 * @throws LangoError NOT_FOUND no such bundle; VOUCHER_LIMIT; FORBIDDEN a cashier gives nothing away
 */
export function generateVouchers(tx: StaffTx, input: GenerateVouchers): GeneratedVouchers {
  const { quantity, kind = 'stock' } = input;
  const bundle = requireBundle(tx, input.bundleId);
  requireVoucherAllowance(tx, quantity);
  if (kind === 'giveaway' && isCashier(tx)) refuseField('FORBIDDEN', 'kind', 'Cashiers make vouchers to sell.');
  const expiresAt = addSeconds(tx.now, input.expiryDays * SECONDS_PER_DAY);
  const batch = tx.vouchers.insertBatch({
    bundleId: bundle.id,
    quantity,
    durationSeconds: bundle.durationSeconds,
    kind,
    price: bundle.price,
    expiresAt,
    createdBy: tx.actor.name,
    createdAt: tx.now,
  });
  const codes: string[] = [];
  const row = { batchId: batch.id, bundleId: bundle.id, createdAt: tx.now, expiresAt };
  const source = voucherCodes();
  while (codes.length < quantity) {
    const wanted = Math.min(quantity - codes.length, INSERTED_AT_ONCE);
    const fresh = Array.from({ length: wanted }, () => source.next().value);
    codes.push(...tx.vouchers.insert(row, fresh));
  }
  // The codes themselves are money and stay out of the audit log.
  const after = { batch_id: batch.id, bundle_id: bundle.id, quantity, kind, expires_at: expiresAt };
  tx.record('voucher.generate', 'voucher_batch', batch.id, null, after);
  const generated = { batch, bundle, codes };
  if (input.phone !== null) queueVoucherSms(tx, input.phone, generated);
  return generated;
}

interface RedeemVoucher {
  phone: Phone;
  /** Canonical; null: what was typed cannot be one. */
  code: string | null;
  /** What the portal is used in; null: not known. */
  language: string | null;
  device: NamedDevice | null;
  /** MACs that the router shows online now; they are not dropped to make room. */
  onlineMacs: readonly Mac[];
}

interface Redemption {
  userId: number;
  /** `paid_until` right after this voucher. */
  paidUntil: Instant;
  bundleName: string;
  durationSeconds: number;
  /** False when every place is taken by one that is online, or it is another person's; null when none was named. */
  deviceAllowed: boolean | null;
  /** True when this very person had redeemed it before: nothing was granted this time. */
  repeated: boolean;
}

/**
 * Same code, same person, again → the first result and no second grant: a lost reply must be safe to retry.
 * @throws LangoError USER_BLOCKED VOUCHER_INVALID VOUCHER_USED VOUCHER_EXPIRED VOUCHER_REVOKED
 */
export function redeemVoucher(tx: Tx, input: RedeemVoucher): Redemption {
  const { phone, code, language, device, onlineMacs } = input;
  const known = tx.users.byPhone(phone);
  refuseBlocked(known);
  const voucher = code === null ? null : tx.vouchers.byCode(code);
  if (voucher === null)
    throw new LangoError('VOUCHER_INVALID', 'This code is not known. Please check it letter by letter.');
  if (voucher.usedByPhone === phone) return repeatedRedemption(tx, voucher);
  refuseUnusable(voucher, tx.now);

  const user = setLanguage(tx, known ?? ensureUser(tx, phone), language);
  if (!tx.vouchers.claim({ id: voucher.id, userId: user.id, now: tx.now })) {
    throw new LangoError('VOUCHER_USED', 'This code has been used already.');
  }
  const { durationSeconds, bundleName } = voucher;
  const granted = { source: 'voucher', sourceId: voucher.id, seconds: durationSeconds } as const;
  const profile = tx.bundles.profileOf(voucher.bundleId);
  const grant = grantTime(tx, user, { ...granted, by: 'voucher', reason: bundleName }, profile);
  const deviceAllowed = device === null ? null : isPlaced(placePaidDevice(tx, user, device, onlineMacs));
  if (deviceAllowed !== null) tx.vouchers.setDeviceAllowed(voucher.id, deviceAllowed);
  const paidUntil = grant.endsAt;
  queueSms(tx, { kind: 'voucher_redeemed', user, key: `voucher:${voucher.id}`, bundleName, paidUntil });
  return { userId: user.id, paidUntil, bundleName, durationSeconds, deviceAllowed, repeated: false };
}

/** @throws LangoError VOUCHER_USED VOUCHER_REVOKED VOUCHER_EXPIRED */
export function refuseUnusable(voucher: Voucher, now: Instant): void {
  if (voucher.usedAt !== null) throw new LangoError('VOUCHER_USED', 'This code has been used already.');
  if (voucher.revokedAt !== null) throw new LangoError('VOUCHER_REVOKED', 'This code is no longer valid.');
  if (voucher.expiresAt <= now)
    throw new LangoError('VOUCHER_EXPIRED', 'This code was not used in time and has expired.');
}

function repeatedRedemption(tx: Tx, voucher: Voucher): Redemption {
  const grant = tx.grants.ofSource('voucher', voucher.id);
  if (grant === null) throw new LangoError('INTERNAL', 'A used voucher has no grant.');
  return {
    userId: grant.userId,
    paidUntil: grant.endsAt,
    bundleName: voucher.bundleName,
    durationSeconds: voucher.durationSeconds,
    deviceAllowed: voucher.deviceAllowed,
    repeated: true,
  };
}

/** A code that nobody has used is worth nothing from now on; once more is no mistake. @throws LangoError NOT_FOUND VOUCHER_USED */
export function revokeVoucher(tx: StaffTx, { voucherId, reason }: { voucherId: number; reason: string }): Voucher {
  const before = requireVoucher(tx, voucherId);
  if (before.usedAt !== null) throw new LangoError('VOUCHER_USED', 'This code has been used; it cannot be revoked.');
  if (!tx.vouchers.revoke(voucherId, tx.actor.name, tx.now)) return before;
  tx.record('voucher.revoke', 'voucher', voucherId, null, { reason, batch_id: before.batchId });
  return requireVoucher(tx, voucherId);
}

/** Revokes what is left of a batch; codes that were used keep their time. @throws LangoError NOT_FOUND */
export function revokeBatch(
  tx: StaffTx,
  { batchId, reason }: { batchId: number; reason: string },
): { batch: BatchRecord; revoked: number } {
  requireBatch(tx, batchId, tx.now);
  const revoked = tx.vouchers.revokeBatch(batchId, tx.actor.name, tx.now);
  tx.record('voucher_batch.revoke', 'voucher_batch', batchId, null, { reason, revoked });
  return { batch: requireBatch(tx, batchId, tx.now), revoked };
}

/** @throws LangoError NOT_FOUND */
function requireVoucher(reads: { vouchers: VoucherReads }, id: number): Voucher {
  return found(reads.vouchers.byId(id), 'voucher');
}

/** @throws LangoError NOT_FOUND */
export function requireBatch(reads: { vouchers: VoucherReads }, id: number, now: Instant): BatchRecord {
  return found(reads.vouchers.batchById(id, now), 'batch of vouchers');
}
