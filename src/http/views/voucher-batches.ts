/** Batches of vouchers. */
import { VoucherBatch } from '../../contract/voucher-batches.ts';
import { formatAmount } from '../../domain/money.ts';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';
import type { BatchRecord } from '../../domain/vouchers.ts';
import { viewOf } from '../names.ts';

const plain = viewOf(VoucherBatch);

export const batchView = (batch: BatchRecord): VoucherBatch => ({
  ...plain(batch),
  bundle: batch.bundleName,
  price: formatAmount(batch.price),
  duration_hours: batch.durationSeconds / SECONDS_PER_HOUR,
});
