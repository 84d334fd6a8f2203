/** What `GET /admin/settings/` tells. */

export interface LimitValues {
  default_max_devices: number;
  order_expiry_minutes: number;
  sms_per_number_per_day: number;
  sms_per_day: number;
}

export interface DeviceRules {
  device_swap: 'with_proof' | 'when_away';
  new_devices: 'by_number' | 'with_proof';
}

export interface CashierRules {
  sell_within_shift: boolean;
  vouchers_per_day: number;
}

export interface SettingsReply {
  router: { router_ip: string; hotspot_name: string; connection_status: string };
  payment_provider: {
    provider?: string;
    /** No real money moves. */
    sandbox?: boolean;
    api_key_configured: boolean;
    webhook_url: string;
    environment: string;
    last_webhook_at?: string | null;
  };
  sms_provider: { provider?: string; api_key_configured: boolean; sender_id: string };
  system: { debug_mode: boolean; allowed_hosts: string[]; time_zone: string; language_code: string };
  branding: {
    business_name: string;
    logo_url: string | null;
    primary_color: string;
    support_phone: string | null;
    terms_url: string | null;
    language?: string;
  };
  messages: {
    language: string;
    kind: string;
    placeholders: string[];
    built_in: string;
    own: string | null;
    /** What is sent now, filled in. */
    example: string;
  }[];
  limits: LimitValues & { configured: LimitValues };
  devices: DeviceRules;
  cashiers: CashierRules;
  clock: { trusted: boolean; wall_time: string; believed_time: string };
}

/** Each named in itself, as the portal's readers know it. */
export const LANGUAGES = [
  ['en', 'English'],
  ['sw', 'Kiswahili'],
  ['fr', 'Français'],
  ['pt', 'Português'],
  ['es', 'Español'],
  ['ar', 'العربية'],
  ['hi', 'हिन्दी'],
] as const;
