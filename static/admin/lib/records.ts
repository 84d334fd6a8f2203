/** What the API's records look like, as far as the pages read them. Times are ISO 8601 UTC. */

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
