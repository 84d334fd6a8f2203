/** Voucher codes. See docs/interface.md: Voucher. */
import type { ReplyOf } from '../../contract/endpoint.ts';
import type * as contract from '../../contract/vouchers.ts';
import { formatAmount } from '../../domain/money.ts';
import type { GeneratedVouchers, Voucher } from '../../domain/vouchers.ts';
import { type CodeReader, maskedCode, mayRead } from '../code-readers.ts';

export const generatedView = ({
  batch,
  bundle,
  codes,
}: GeneratedVouchers): ReplyOf<typeof contract.generateVouchers> => ({
  success: true,
  vouchers_generated: codes.length,
  batch_id: batch.id,
  vouchers: codes.map(code => ({ code, bundle: bundle.name, expires_at: batch.expiresAt })),
});

/** @param reader to whom it is shown */
export const voucherView = (voucher: Voucher, reader: CodeReader): contract.Voucher => ({
  id: voucher.id,
  ...(mayRead(reader, voucher) ? { code: voucher.code } : { code: maskedCode(voucher.code), code_masked: true }),
  bundle: voucher.bundleName,
  is_used: voucher.usedAt !== null,
  created_at: voucher.createdAt,
  expires_at: voucher.expiresAt,
  used_by: voucher.usedByPhone,
  used_at: voucher.usedAt,
  batch_id: voucher.batchId,
  is_revoked: voucher.revokedAt !== null,
  revoked_at: voucher.revokedAt,
  revoked_by: voucher.revokedBy,
  sold_by: voucher.soldBy ?? voucher.madeBy,
  made_by: voucher.madeBy,
  sale_id: voucher.saleId,
  sold_at: voucher.soldAt,
  price: voucher.price === null ? null : formatAmount(voucher.price),
  used_by_id: voucher.usedBy,
});
