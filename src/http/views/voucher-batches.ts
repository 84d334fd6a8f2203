/** Batches of vouchers. */
import type * as contract from '../../contract/voucher-batches.ts';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';
import type { BatchRecord } from '../../domain/vouchers.ts';

export const batchView = (batch: BatchRecord): contract.VoucherBatch => ({
  id: batch.id,
  bundle: batch.bundleName,
  bundle_id: batch.bundleId,
  quantity: batch.quantity,
  used: batch.used,
  revoked: batch.revoked,
  available: batch.available,
  expires_at: batch.expiresAt,
  created_by: batch.createdBy,
  created_at: batch.createdAt,
  duration_hours: batch.durationSeconds / SECONDS_PER_HOUR,
});
