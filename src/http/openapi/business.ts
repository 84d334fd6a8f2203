/** What staff do with people, money, bundles and vouchers. */
import { done, found, type Operations, paged } from './operation.ts';
import {
  amount,
  bundleFields,
  extended,
  flag,
  instant,
  integer,
  list,
  mac,
  maybe,
  nullable,
  number,
  object,
  paymentFields,
  phone,
  text,
  the,
  userFields,
} from './schemas.ts';

const csv = { type: 'text/csv', reply: text } as const;

export const businessOperations: Operations = {
  'GET /admin/users/': { summary: 'People, newest first', reply: paged('users', the.User) },
  'GET /admin/users/:user_id/': {
    summary: 'A person with everything that belongs to them; sessions are empty while the router is not reachable',
    reply: found({
      user: extended(userFields, {
        devices: list(the.Device),
        payments: list(the.Payment),
        grants: list(the.Grant),
        vouchers: list(the.Voucher),
        refunds: list(the.Refund),
        sessions: list(the.RouterSession),
        router_connected: flag,
      }),
    }),
  },
  'PUT /admin/users/:user_id/update/': {
    summary: 'Block or unblock, change the number or the limit of devices',
    reply: done({ user: the.User }),
    refuses: [409],
  },
  'DELETE /admin/users/:user_id/delete/': { summary: 'Forget a person; payments stay for the books', reply: done() },
  'POST /admin/users/:user_id/grant/': {
    summary: 'Give extra time by hand',
    reply: done({ user: the.User, grant: the.Grant }),
  },
  'POST /admin/users/:user_id/disconnect/': {
    summary: "End a person's sessions; paid time runs on",
    reply: done({ disconnected_count: integer }),
  },
  'POST /admin/users/:user_id/devices/remove/': {
    summary: 'Remove a device',
    reply: done({ devices_remaining: integer }),
  },
  'POST /admin/users/:user_id/devices/rename/': { summary: 'Name a device', reply: done({ device: the.Device }) },
  'POST /admin/credit/': {
    summary: 'Give time to everybody who had access during an outage; previewed unless preview is false',
    reply: done({
      preview: flag,
      affected_users: integer,
      total_hours: number,
      users: list(object({ id: integer, phone_number: phone, paid_until: nullable(instant) })),
    }),
    refuses: [409],
  },
  'GET /admin/payments/': {
    summary: 'Payments, newest first; the summary is of the whole filter',
    reply: paged('payments', the.Payment, {
      summary: object({
        total_amount: amount,
        pending_amount: amount,
        completed_count: integer,
        pending_count: integer,
        failed_count: integer,
        cancelled_count: integer,
      }),
    }),
  },
  'GET /admin/payments/:payment_id/': {
    summary: 'A payment with its refunds, raw notifications, grant and checks',
    reply: found({
      payment: extended(paymentFields, {
        mac_address: nullable(mac),
        shift_id: nullable(integer),
        expires_at: instant,
        refundable_amount: amount,
        refunds: list(the.Refund),
        webhook_logs: list(the.WebhookLog),
        grant: nullable(the.Grant),
        checks: object({ count: integer, next_at: nullable(instant) }),
      }),
    }),
  },
  'POST /admin/payments/:payment_id/recheck/': {
    summary: 'Ask the provider now',
    reply: done({ payment: the.Payment, granted: flag }),
    refuses: [409, 502],
  },
  'POST /admin/payments/:payment_id/review/': {
    summary: 'Mark a flagged payment as looked at',
    reply: done({ payment: the.Payment }),
    refuses: [409],
  },
  'POST /admin/payments/:payment_id/refund/': {
    summary: 'Give money back, all that is left of it unless an amount is given',
    reply: done({ refund: the.Refund, payment: the.Payment }),
    refuses: [402, 409, 502],
  },
  'POST /admin/sales/': {
    summary: 'Sell a bundle for cash',
    status: 201,
    reply: done({ payment: the.Payment, user: the.User, device_allowed: maybe(flag) }),
    refuses: [409],
  },
  'GET /admin/bundles/': { summary: 'Bundles with their sales', reply: found({ bundles: list(the.Bundle) }) },
  'POST /admin/bundles/': { summary: 'Add a bundle', status: 201, reply: done({ bundle: the.Bundle }) },
  'GET /admin/bundles/:bundle_id/': {
    summary: 'A bundle with its unused vouchers',
    reply: found({ bundle: extended(bundleFields, { unused_vouchers: list(the.Voucher) }) }),
  },
  'PUT /admin/bundles/:bundle_id/': {
    summary: 'Change a bundle',
    reply: done({ bundle: the.Bundle }),
    refuses: [409],
  },
  'DELETE /admin/bundles/:bundle_id/': {
    summary: 'Remove a bundle; one that was sold is archived',
    reply: done({ archived: flag }),
  },
  'GET /admin/export/users/': { summary: 'People as CSV', ...csv },
  'GET /admin/export/payments/': { summary: 'Payments as CSV', ...csv },
  'GET /admin/export/vouchers/': { summary: 'Vouchers as CSV', ...csv },
};
