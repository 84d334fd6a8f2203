import type { Voucher } from '../../../src/contract/vouchers.ts';
import { post } from '../lib/api.ts';
import { soon, tell } from '../ui/toast.tsx';

/** A revoked code cannot be given back, so there are a few seconds in which to think again. */
export function revokeVoucher(voucher: Voucher, done: () => void): void {
  soon(`Revoking ${voucher.code}`, async () => {
    await post(`/admin/vouchers/${voucher.id}/revoke/`);
    tell(`${voucher.code} is revoked. Nobody can use it.`);
    done();
  });
}
