/** Batches of vouchers: what has become of them, their codes for print, revocation. See docs/rules.md: Vouchers. */
import { QUANTITY } from '../../contract/vouchers.ts';
import { requireBatch } from '../../domain/vouchers.ts';
import { createLooks, readableCodes, readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { fields, idText, optional, pageSizeText, pageText, text } from '../fields.ts';
import { paginationView } from '../pagination.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { batchView } from '../views/voucher-batches.ts';
import { voucherView } from '../views/vouchers.ts';

const List = fields({ page: pageText(), page_size: pageSizeText() });
const OneBatch = fields({ batch_id: idText() });
const OneVoucher = fields({ voucher_id: idText() });
const Revocation = fields({ reason: optional(text(200)) });

export function voucherBatchRoutes(api: Api, context: Context): void {
  const { reads, commit, clock } = context;
  const looks = createLooks(context);

  api.get(
    '/admin/voucher-batches/',
    route({ auth: 'cashier', query: List }, ({ query }) => {
      const { page, page_size: pageSize } = query;
      const batches = reads.vouchers.batches(clock.now(), { limit: pageSize, offset: (page - 1) * pageSize });
      const pagination = paginationView({ page, pageSize, total: reads.vouchers.countBatches() });
      return json(200, { success: true, batches: batches.map(batchView), pagination });
    }),
  );

  api.get(
    '/admin/voucher-batches/:batch_id/',
    route({ auth: 'cashier', params: OneBatch }, ({ params }) =>
      json(200, { success: true, batch: batchView(requireBatch(reads, params.batch_id, clock.now())) }),
    ),
  );

  api.get(
    '/admin/voucher-batches/:batch_id/codes/',
    route({ auth: 'cashier', params: OneBatch }, ({ params, caller, actor }) => {
      const reader = readerOf(caller);
      const batch = requireBatch(reads, params.batch_id, clock.now());
      const page = { limit: QUANTITY.max, offset: 0 };
      const vouchers = reads.vouchers.list({ batchId: batch.id }, page);
      const codes = readableCodes(vouchers, reader);
      looks.note({ subject: 'voucher_batch', subjectId: batch.id, codes, actor });
      const shown = vouchers.map(voucher => voucherView(voucher, reader));
      return json(200, { success: true, batch: batchView(batch), vouchers: shown });
    }),
  );

  api.post(
    '/admin/voucher-batches/:batch_id/revoke/',
    route({ auth: 'staff', params: OneBatch, body: Revocation }, async ({ params, body, actor }) => {
      const input = { batchId: params.batch_id, reason: body.reason ?? '' };
      const { batch, revoked } = await commit('revokeBatch', input, actor);
      const message = `${revoked} vouchers were revoked. Those in use keep their time.`;
      return json(200, { success: true, message, revoked_count: revoked, batch: batchView(batch) });
    }),
  );

  api.post(
    '/admin/vouchers/:voucher_id/revoke/',
    route(
      { auth: 'staff', params: OneVoucher, body: Revocation, errors: 'voucher' },
      async ({ params, body, actor }) => {
        const input = { voucherId: params.voucher_id, reason: body.reason ?? '' };
        const voucher = await commit('revokeVoucher', input, actor);
        return json(200, { success: true, message: 'The voucher was revoked.', voucher: voucherView(voucher, null) });
      },
    ),
  );
}
