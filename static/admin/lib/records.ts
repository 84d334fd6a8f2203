/** What the API's records look like, as far as the pages read them. Times are ISO 8601 UTC, amounts decimal text. */

export interface Pagination {
  total: number;
  page: number;
  page_size: number;
  total_pages: number;
}

export interface User {
  id: number;
  phone_number: string;
  is_active: boolean;
  created_at: string;
  paid_until: string | null;
  has_active_access: boolean;
  max_devices: number;
  device_count: number;
  payment_count: number;
  total_payments: number;
  version: number;
  last_payment: { amount: string; bundle_name: string; completed_at: string } | null;
}

export interface Device {
  id: number;
  mac_address: string;
  device_name: string;
  ip_address: string;
  first_connected: string;
  last_seen: string;
  is_active: boolean;
}

export interface Grant {
  id: number;
  source: string;
  source_id?: number | null;
  seconds?: number;
  hours?: number;
  starts_at: string;
  ends_at: string;
  reason?: string | null;
  by?: string | null;
  created_at?: string;
}

export interface UserDetail extends User {
  devices: Device[];
  payments: Payment[];
  grants: Grant[];
  vouchers: Voucher[];
  refunds: Refund[];
  sessions: RouterSession[];
  router_connected: boolean;
}

export type PaymentStatus = 'pending' | 'completed' | 'failed' | 'cancelled';

export interface Payment {
  id: number;
  phone_number: string;
  amount: string;
  status: PaymentStatus;
  order_reference: string;
  payment_reference: string;
  transaction_id: string;
  payment_channel: string;
  bundle_id: number;
  bundle_name: string;
  user_id: number;
  created_at: string;
  completed_at: string | null;
  method: 'online' | 'cash';
  review: boolean | string | null;
  review_advice: string | null;
  receipt_number: string | null;
  sold_by: string | null;
  refunded_amount: string;
  /** What came, where it is known; may differ from what was asked. */
  paid_amount: string | null;
}

export interface Refund {
  id: number;
  payment_id: number;
  amount: string;
  reason: string;
  status: string;
  /** What to do, where something is to be done. */
  message?: string | null;
  reference: string | null;
  created_by: string | null;
  created_at: string;
}

export interface PaymentDetail extends Payment {
  refunds: Refund[];
  webhook_logs: WebhookLog[];
  grant: Grant | null;
  checks: { count: number; next_at: string | null };
}

export interface WebhookLog {
  id: number;
  payment_reference: string;
  payment_status: string;
  amount: number;
  phone_number: string;
  webhook_data: Record<string, unknown>;
  processed_at: string;
  order_reference: string | null;
  outcome: string;
}

export interface Bundle {
  id: number;
  name: string;
  description: string;
  price: string;
  duration_hours: number;
  is_active: boolean;
  display_order: number;
  router_profile: string | null;
  total_purchases: number;
  revenue: string;
  version: number;
}

export interface Voucher {
  id: number;
  /** Of another's batch, a cashier sees the end alone. */
  code: string;
  code_masked?: boolean;
  bundle: string;
  is_used: boolean;
  is_revoked: boolean;
  created_at: string;
  expires_at: string;
  used_by: string | null;
  used_at: string | null;
  batch_id: number;
}

export interface Batch {
  id: number;
  bundle: string;
  quantity: number;
  used: number;
  revoked: number;
  available: number;
  expires_at: string;
  created_by: string | null;
  created_at: string;
  duration_hours: number;
}

export interface RouterSession {
  id: string;
  user: string;
  address: string;
  'mac-address': string;
  'session-time': string;
  'bytes-in': string;
  'bytes-out': string;
}

export interface AdminRecord {
  id: number;
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  role: 'owner' | 'staff' | 'cashier';
  is_active: boolean;
  totp_enabled?: boolean;
  last_login_at?: string | null;
  date_joined?: string;
}

export interface AdminSession {
  id: number;
  ip: string | null;
  user_agent: string | null;
  created_at: string;
  last_seen_at?: string;
  current?: boolean;
}
