/** Batches of vouchers: what has become of them, their codes for print, revocation. */
import * as v from 'valibot';

import { done, endpoint, found, paged } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';
import { BATCH_KINDS, Voucher } from './vouchers.ts';

export const VoucherBatch = v.object({
  id: value.id,
  bundle: value.string,
  bundle_id: value.id,
  quantity: value.integer,
  used: value.integer,
  revoked: value.integer,
  available: value.integer,
  kind: v.picklist(BATCH_KINDS),
  /** Of one. */
  price: value.amount,
  sold: value.integer,
  /** Available, and not sold; 0 where they are given away. */
  in_stock: value.integer,
  /** Used, though nobody has sold them. */
  used_unsold: value.integer,
  expires_at: value.instant,
  created_by: value.string,
  created_at: value.instant,
  duration_hours: value.number,
});
export type VoucherBatch = v.InferOutput<typeof VoucherBatch>;

const OneBatch = v.object({ batch_id: field.idText });
const Revocation = v.object({ reason: field.optional(field.text(200)) });

export const listBatches = endpoint({
  method: 'GET',
  path: '/admin/voucher-batches/',
  summary: 'Batches, newest first',
  auth: 'cashier',
  query: v.object(field.pages),
  reply: paged('batches', VoucherBatch, {}),
});

export const showBatch = endpoint({
  method: 'GET',
  path: '/admin/voucher-batches/:batch_id/',
  summary: 'A batch',
  auth: 'cashier',
  params: OneBatch,
  reply: found({ batch: VoucherBatch }),
});

export const listCodes = endpoint({
  method: 'GET',
  path: '/admin/voucher-batches/:batch_id/codes/',
  summary: 'All vouchers of a batch, for print',
  auth: 'cashier',
  params: OneBatch,
  reply: found({ batch: VoucherBatch, vouchers: v.array(Voucher) }),
});

export const revokeBatch = endpoint({
  method: 'POST',
  path: '/admin/voucher-batches/:batch_id/revoke/',
  summary: 'Revoke what is unused of a batch',
  auth: 'staff',
  params: OneBatch,
  body: Revocation,
  reply: done({ revoked_count: value.integer, batch: VoucherBatch }),
});

export const revokeVoucher = endpoint({
  method: 'POST',
  path: '/admin/vouchers/:voucher_id/revoke/',
  summary: 'Revoke an unused voucher',
  auth: 'staff',
  errors: 'voucher',
  params: v.object({ voucher_id: field.idText }),
  body: Revocation,
  reply: done({ voucher: Voucher }),
  refuses: [409],
});
