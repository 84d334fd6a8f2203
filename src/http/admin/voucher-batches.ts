/** Batches of vouchers: what has become of them, their codes for print, revocation. See docs/rules.md: Vouchers. */

import { listBatches, listCodes, revokeBatch, revokeVoucher, showBatch } from '../../contract/voucher-batches.ts';
import { QUANTITY } from '../../contract/vouchers.ts';
import { many } from '../../domain/plural.ts';
import { requireBatch } from '../../domain/vouchers.ts';
import { createCodeReadLog, readableCodes, readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { batchView } from '../views/voucher-batches.ts';
import { voucherView } from '../views/vouchers.ts';

export function voucherBatchRoutes(api: Api, context: Context): void {
  const { reads, commit, clock } = context;
  const codeReads = createCodeReadLog(context);

  api.handle(listBatches, ({ query }) => ({
    success: true,
    batches: reads.vouchers.batches(clock.now(), rowsOf(query)).map(batchView),
    pagination: paginationOf(query, reads.vouchers.countBatches()),
  }));

  api.handle(showBatch, ({ params }) => ({
    success: true,
    batch: batchView(requireBatch(reads, params.batch_id, clock.now())),
  }));

  api.handle(listCodes, ({ params, caller, actor }) => {
    const reader = readerOf(caller);
    const batch = requireBatch(reads, params.batch_id, clock.now());
    const vouchers = reads.vouchers.list({ batchId: batch.id }, { limit: QUANTITY.max, offset: 0 });
    const codes = readableCodes(vouchers, reader);
    codeReads.record({ subject: 'voucher_batch', subjectId: batch.id, codes, actor });
    return { success: true, batch: batchView(batch), vouchers: vouchers.map(voucher => voucherView(voucher, reader)) };
  });

  api.handle(revokeBatch, async ({ params, body, actor }) => {
    const input = { batchId: params.batch_id, reason: body.reason ?? '' };
    const { batch, revoked } = await commit('revokeBatch', input, actor);
    const message = `${many(revoked, 'voucher')} revoked. Those in use keep their time.`;
    return { success: true, message, revoked_count: revoked, batch: batchView(batch) };
  });

  api.handle(revokeVoucher, async ({ params, body, actor }) => {
    const input = { voucherId: params.voucher_id, reason: body.reason ?? '' };
    const voucher = await commit('revokeVoucher', input, actor);
    return { success: true, message: 'The voucher was revoked.', voucher: voucherView(voucher, null) };
  });
}
