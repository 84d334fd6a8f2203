/** The "I paid" desk, and the phones at the gate. */
import type * as contract from '../../contract/desk.ts';
import type { Diagnosis } from '../../domain/diagnosis.ts';
import type { RouterHost } from '../../domain/ports.ts';
import { addSeconds } from '../../domain/time.ts';
import type { Subject } from '../admin/desk-subjects.ts';
import type { CodeReader } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { paymentView } from './payments.ts';
import { userView } from './users.ts';
import { voucherView } from './vouchers.ts';

type Books = Pick<Context, 'reads' | 'clock'>;

export const deskCaseView = (
  { reads, clock }: Books,
  { user, payment, voucher }: Subject,
  { phones, routerId, ...diagnosis }: Diagnosis,
  reader: CodeReader,
): contract.DeskCase => ({
  ...diagnosis,
  mac_addresses: [...phones],
  router_id: routerId,
  user: user === null ? null : userView(user, reads, clock.now()),
  payment: payment === null ? null : paymentView(payment, reads.refunds.refundedMinor(payment.id)),
  voucher: voucher === null ? null : voucherView(voucher, reader),
});

export function gatePhoneView({ reads, clock }: Books, host: RouterHost): contract.GatePhone {
  const device = reads.devices.byMac(host.mac);
  const user = device === null ? null : reads.users.byId(device.userId);
  const now = clock.now();
  return {
    mac_address: host.mac,
    ip_address: host.address,
    joined_at: addSeconds(now, -host.uptimeSeconds),
    user: user === null ? null : userView(user, reads, now),
  };
}
