/** How the states of records are called and coloured, everywhere alike. */
import type { Payment, Refund } from '../../../src/contract/payments.ts';
import type { RouterState } from '../../../src/contract/routers.ts';
import type { SmsMessage } from '../../../src/contract/system.ts';
import type { User } from '../../../src/contract/users.ts';
import type { VoucherBatch } from '../../../src/contract/voucher-batches.ts';
import type { Voucher } from '../../../src/contract/vouchers.ts';
import { ago, secondsUntil, span } from '../lib/format.ts';
import { Badge } from './badge.tsx';
import type { Tone } from './notice.tsx';

type State = readonly [tone: Tone | 'off', label: string];

const PAYMENT: Record<Payment['status'], State> = {
  completed: ['good', 'Paid'],
  pending: ['warn', 'Waiting'],
  failed: ['bad', 'Failed'],
  cancelled: ['off', 'Cancelled'],
};

const REFUND: Record<Refund['status'], State> = {
  completed: ['good', 'Sent'],
  pending: ['warn', 'On its way'],
  manual: ['warn', 'Pay it by hand'],
  failed: ['bad', 'Failed'],
};

const SMS: Record<SmsMessage['status'], State> = {
  queued: ['warn', 'Waiting'],
  sending: ['warn', 'Sending'],
  sent: ['good', 'Sent'],
  failed: ['bad', 'Failed'],
  uncertain: ['warn', 'Not certain'],
  dropped: ['off', 'Not sent'],
};

const ROUTER: Record<RouterState['connection_status'], State> = {
  connected: ['good', 'Connected'],
  disconnected: ['bad', 'Does not answer'],
  not_configured: ['warn', 'Not set up yet'],
};

const show = ([tone, label]: State) => <Badge tone={tone}>{label}</Badge>;

type Status = Payment['status'];

/** What was given back in full is not told as paid anywhere. */
export const PaymentBadge = ({
  payment: { status, is_refunded: isRefunded },
}: {
  payment: { status: Status | Uppercase<Status>; is_refunded: boolean };
}) => show(isRefunded ? ['off', 'Refunded'] : PAYMENT[status.toLowerCase() as Status]);

export const RefundBadge = ({ status }: Pick<Refund, 'status'>) => show(REFUND[status]);
export const RouterBadge = ({ router }: { router: RouterState }) => show(ROUTER[router.connection_status]);
export const SmsBadge = ({ status }: Pick<SmsMessage, 'status'>) => show(SMS[status]);

export function UserBadge({ user }: { user: Pick<User, 'is_active' | 'has_active_access' | 'paid_until'> }) {
  if (!user.is_active) return show(['bad', 'Blocked']);
  if (user.has_active_access) return show(['good', 'Has access']);
  return show(['off', user.paid_until === null ? 'Never paid' : 'Expired']);
}

type Paid = Pick<User, 'is_active' | 'paid_until'>;

export const hasTimeLeft = ({ paid_until: end }: Paid): boolean => end !== null && secondsUntil(end) > 0;

/** Also of whoever is blocked: nothing stops the time that was paid. */
export function timeLeft(user: Paid): string {
  if (user.paid_until === null) return 'never had any';
  if (!hasTimeLeft(user)) return `ended ${ago(user.paid_until)}`;
  return `${span(secondsUntil(user.paid_until))} left${user.is_active ? '' : ', running on while blocked'}`;
}

export function VoucherBadge({ voucher }: { voucher: Voucher }) {
  if (voucher.is_used) return show(['off', 'Used']);
  if (voucher.is_revoked) return show(['bad', 'Revoked']);
  if (secondsUntil(voucher.expires_at) <= 0) return show(['off', 'Too old']);
  return show(['good', voucher.sale_id === null ? 'Ready' : 'Sold, not used']);
}

export function BatchBadge({ batch }: { batch: VoucherBatch }) {
  if (batch.available > 0) return show(['good', 'Ready']);
  return show(batch.revoked > 0 ? ['bad', 'Revoked'] : ['off', batch.used === batch.quantity ? 'All used' : 'Too old']);
}
