/** Sales that are sent again because the reply to them was lost. What keeps a key from two of them is an index. */
import { refuseField } from './errors.ts';
import type { StaffTx } from './transaction.ts';

/** The same one twice is the same sale, sent again. */
export type IdempotencyKey = string | undefined;

/** What can be found by the key that it was sold with. */
export interface SoldByKey<Sale> {
  byKey(key: string): Sale | null;
}

/**
 * @param isSame whether what is asked for now is what was sold then
 * @returns null: nothing was sold with this key
 * @throws LangoError CONFLICT something else was, or somebody else sold it
 */
export function soldBefore<Sale extends { soldBy: string | null }>(
  tx: StaffTx,
  key: IdempotencyKey,
  sales: SoldByKey<Sale>,
  isSame: (sale: Sale) => boolean,
): Sale | null {
  const known = key === undefined ? null : sales.byKey(key);
  if (known === null || (known.soldBy === tx.actor.name && isSame(known))) return known;
  return refuseField(
    'CONFLICT',
    'idempotency_key',
    'Another sale was made with this key. Use a new one for each sale.',
  );
}
