/** The "I paid" desk: who says that they paid and is not online, why, and what mends it; and the phones at the gate. */
import * as v from 'valibot';

import { Device } from './devices.ts';
import { done, endpoint, found } from './endpoint.ts';
import * as field from './fields.ts';
import { Payment } from './payments.ts';
import { User } from './users.ts';
import * as value from './values.ts';
import { Voucher } from './vouchers.ts';

export const DeskCase = v.object({
  reason: v.picklist([
    'unknown',
    'blocked',
    'unpaid',
    'pending',
    'underpaid',
    'wrong_currency',
    'flagged',
    'refunded',
    'expired',
    'voucher_unused',
    'voucher_used',
    'voucher_expired',
    'voucher_revoked',
    'router_down',
    'online',
    'not_let_in',
    'no_room',
    'held',
    'other_phone',
    'elsewhere',
    'not_joined',
  ]),
  /** The diagnosis, for who stands at the counter. */
  sentence: value.string,
  /** What mends it; null: nothing does. */
  act: v.nullable(
    v.picklist(['sell', 'ask_provider', 'open_payment', 'redeem', 'unblock', 'connect', 'wake_router', 'look_again']),
  ),
  /** The phones that `connect` may mean. */
  mac_addresses: v.array(value.mac),
  /** The router that `wake_router` asks; null: the only one. */
  router_id: v.nullable(value.id),
  user: v.nullable(User),
  payment: v.nullable(Payment),
  /** The one that was searched for. */
  voucher: v.nullable(Voucher),
});
export type DeskCase = v.InferOutput<typeof DeskCase>;

export const lookUp = endpoint({
  method: 'GET',
  path: '/admin/desk/',
  summary:
    'Who or what is known by a number, name, reference, receipt, voucher code or MAC, and why they are not online',
  auth: 'cashier',
  query: v.object({ search: field.text(100) }),
  reply: found({
    /** Ten at most. */
    cases: v.array(DeskCase),
    /** True: there are others, which more of the number or name would tell apart. */
    more: value.boolean,
  }),
});

export const GatePhone = v.object({
  mac_address: value.mac,
  ip_address: value.string,
  joined_at: value.instant,
  /** Whose it is, as far as the books know. */
  user: v.nullable(User),
});
export type GatePhone = v.InferOutput<typeof GatePhone>;

export const listGate = endpoint({
  method: 'GET',
  path: '/admin/gate/',
  summary: 'Phones that are on the Wi-Fi and not online, as of the last five seconds; who joined last comes first',
  auth: 'cashier',
  reply: found({
    router_connected: value.boolean,
    /** 100 at most. */
    phones: v.array(GatePhone),
    total: value.integer,
  }),
});

export const connectDevice = endpoint({
  method: 'POST',
  path: '/admin/devices/connect/',
  summary: 'Give a phone a place of a person with paid time, that of another one should there be no room',
  auth: 'cashier',
  errors: 'action',
  body: v.object({ phone_number: field.phone, mac_address: field.mac }),
  reply: done({
    device: Device,
    /** Whether the router shows it online by now. */
    online: value.boolean,
    /** The one that made way. */
    replaced_mac_address: v.nullable(value.mac),
  }),
  refuses: [403, 404, 409],
});
