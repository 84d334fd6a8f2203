/** Batches of vouchers. */
import { VoucherBatch } from '../../contract/voucher-batches.ts';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';
import type { BatchRecord } from '../../domain/vouchers.ts';
import { tellerOf } from '../names.ts';

const plain = tellerOf(VoucherBatch);

export const batchView = (batch: BatchRecord): VoucherBatch => ({
  ...plain(batch),
  bundle: batch.bundleName,
  duration_hours: batch.durationSeconds / SECONDS_PER_HOUR,
});
