/**
 * The books as they start out. Times are ISO 8601 UTC text with milliseconds, money is whole minor units,
 * days are calendar days of the configured zone at the time of writing.
 *
 * What the database can refuse by itself, it refuses: a second grant for a payment or a voucher, a change
 * of the ledger's past, a device on two people, an unknown status.
 */
export const books = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  phone TEXT NOT NULL UNIQUE,
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  max_devices INTEGER NOT NULL CHECK (max_devices BETWEEN 1 AND 100),
  paid_until TEXT,
  language TEXT,
  router_profile TEXT,
  created_at TEXT NOT NULL,
  deleted_at TEXT
) STRICT;
CREATE INDEX users_entitled ON users (paid_until) WHERE is_active = 1 AND paid_until IS NOT NULL;
CREATE INDEX users_listed ON users (id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_state ON users (is_active, id) WHERE deleted_at IS NULL;

CREATE TABLE devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id),
  mac TEXT NOT NULL,
  slot INTEGER NOT NULL CHECK (slot >= 1),
  device_name TEXT NOT NULL,
  ip_address TEXT,
  first_connected TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  removed_at TEXT
) STRICT;
CREATE UNIQUE INDEX devices_one_owner ON devices (mac) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX devices_one_slot ON devices (user_id, slot) WHERE removed_at IS NULL;
CREATE INDEX devices_by_user ON devices (user_id, id);
CREATE INDEX devices_removed ON devices (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE bundles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  price_minor INTEGER NOT NULL CHECK (price_minor >= 0),
  currency TEXT NOT NULL,
  duration_seconds INTEGER NOT NULL CHECK (duration_seconds BETWEEN 36 AND 31536000),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  display_order INTEGER NOT NULL DEFAULT 0,
  router_profile TEXT,
  created_at TEXT NOT NULL,
  archived_at TEXT
) STRICT;

CREATE TABLE admins (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL COLLATE NOCASE UNIQUE,
  email TEXT NOT NULL DEFAULT '',
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  password_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'cashier')),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  totp_secret TEXT,
  totp_confirmed_at TEXT,
  totp_last_step INTEGER,
  recovery_codes TEXT,
  created_at TEXT NOT NULL,
  last_login_at TEXT
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  admin_id INTEGER NOT NULL REFERENCES admins (id),
  token_hash TEXT NOT NULL UNIQUE,
  access_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  last_used_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  ip_address TEXT,
  user_agent TEXT
) STRICT;
CREATE INDEX sessions_by_admin ON sessions (admin_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE shifts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  admin_id INTEGER NOT NULL REFERENCES admins (id),
  opened_at TEXT NOT NULL,
  closed_at TEXT,
  opening_float_minor INTEGER NOT NULL DEFAULT 0,
  counted_minor INTEGER,
  note TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE UNIQUE INDEX shifts_one_open ON shifts (admin_id) WHERE closed_at IS NULL;

CREATE TABLE voucher_batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  bundle_id INTEGER NOT NULL REFERENCES bundles (id),
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 10000),
  duration_seconds INTEGER NOT NULL,
  expires_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE vouchers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  batch_id INTEGER NOT NULL REFERENCES voucher_batches (id),
  bundle_id INTEGER NOT NULL REFERENCES bundles (id),
  code TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_by INTEGER REFERENCES users (id),
  used_at TEXT,
  device_allowed INTEGER CHECK (device_allowed IN (0, 1)),
  revoked_at TEXT,
  revoked_by TEXT,
  CHECK ((used_by IS NULL) = (used_at IS NULL)),
  CHECK (used_at IS NULL OR revoked_at IS NULL)
) STRICT;
CREATE INDEX vouchers_by_batch ON vouchers (batch_id, id);
CREATE INDEX vouchers_by_bundle ON vouchers (bundle_id, id);
CREATE INDEX vouchers_by_user ON vouchers (used_by, id) WHERE used_by IS NOT NULL;
CREATE INDEX vouchers_unused ON vouchers (expires_at, bundle_id) WHERE used_at IS NULL AND revoked_at IS NULL;

CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES users (id),
  bundle_id INTEGER NOT NULL REFERENCES bundles (id),
  bundle_name TEXT NOT NULL,
  duration_seconds INTEGER NOT NULL,
  phone TEXT NOT NULL,
  mac TEXT,
  ip_address TEXT,
  amount_minor INTEGER NOT NULL CHECK (amount_minor >= 0),
  currency TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'cancelled')),
  method TEXT NOT NULL DEFAULT 'online' CHECK (method IN ('online', 'cash')),
  provider TEXT NOT NULL,
  order_reference TEXT NOT NULL UNIQUE,
  payment_reference TEXT,
  transaction_id TEXT,
  payment_channel TEXT,
  redirect_url TEXT,
  paid_minor INTEGER,
  review TEXT,
  device_allowed INTEGER CHECK (device_allowed IN (0, 1)),
  receipt_number TEXT UNIQUE,
  sold_by TEXT,
  shift_id INTEGER REFERENCES shifts (id),
  checks INTEGER NOT NULL DEFAULT 0,
  next_check_at TEXT,
  created_at TEXT NOT NULL,
  created_day TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  completed_at TEXT,
  completed_day TEXT,
  CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
  CHECK ((completed_at IS NULL) = (completed_day IS NULL))
) STRICT;
CREATE UNIQUE INDEX payments_one_reference ON payments (provider, payment_reference) WHERE payment_reference IS NOT NULL;
CREATE INDEX payments_by_user ON payments (user_id, id);
CREATE INDEX payments_by_status ON payments (status, id);
CREATE INDEX payments_by_bundle ON payments (bundle_id, id);
CREATE INDEX payments_by_day ON payments (created_day, id);
CREATE INDEX payments_to_check ON payments (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payments_to_cancel ON payments (expires_at) WHERE status = 'pending';
CREATE INDEX payments_to_review ON payments (id) WHERE review IS NOT NULL;
CREATE INDEX payments_by_shift ON payments (shift_id) WHERE shift_id IS NOT NULL;
CREATE TRIGGER payments_completed_is_final BEFORE UPDATE OF status ON payments
WHEN OLD.status = 'completed' AND NEW.status <> 'completed'
BEGIN SELECT RAISE(ABORT, 'a completed payment is final'); END;

CREATE TABLE refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  payment_id INTEGER NOT NULL REFERENCES payments (id),
  amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
  reason TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'completed', 'failed', 'manual')),
  reference TEXT,
  message TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  settled_at TEXT
) STRICT;
CREATE INDEX refunds_by_payment ON refunds (payment_id, id);
CREATE INDEX refunds_open ON refunds (id) WHERE status = 'pending';

CREATE TABLE grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES users (id),
  source TEXT NOT NULL CHECK (source IN ('payment', 'voucher', 'admin', 'refund')),
  source_id INTEGER,
  seconds INTEGER NOT NULL,
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  by TEXT NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  at TEXT NOT NULL,
  CHECK (source = 'admin' OR source_id IS NOT NULL),
  CHECK ((source IN ('payment', 'voucher') AND seconds > 0) OR (source = 'refund' AND seconds <= 0) OR source = 'admin')
) STRICT;
CREATE UNIQUE INDEX grants_once ON grants (source, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX grants_by_user ON grants (user_id, id);
CREATE TRIGGER grants_never_change BEFORE UPDATE ON grants
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER grants_never_vanish BEFORE DELETE ON grants
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE webhook_logs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL,
  event_key TEXT NOT NULL,
  authenticity TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('accepted', 'duplicate', 'unknown_order', 'refused')),
  order_reference TEXT,
  payment_reference TEXT,
  payment_status TEXT NOT NULL,
  amount_minor INTEGER,
  currency TEXT,
  phone TEXT,
  webhook_data TEXT NOT NULL,
  ip_address TEXT,
  processed_at TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_logs_by_event ON webhook_logs (provider, event_key);
CREATE INDEX webhook_logs_by_order ON webhook_logs (order_reference, id) WHERE order_reference IS NOT NULL;
CREATE INDEX webhook_logs_by_age ON webhook_logs (processed_at);

CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  admin_id INTEGER REFERENCES admins (id),
  admin_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  subject_id INTEGER,
  before TEXT,
  after TEXT,
  ip_address TEXT
) STRICT;
CREATE INDEX audit_log_by_subject ON audit_log (subject, subject_id, id);
CREATE INDEX audit_log_by_admin ON audit_log (admin_id, id);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value)),
  updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sms_outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  user_id INTEGER REFERENCES users (id),
  phone TEXT NOT NULL,
  kind TEXT NOT NULL,
  dedupe_key TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'failed', 'uncertain', 'dropped')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT,
  reference TEXT,
  message TEXT,
  created_at TEXT NOT NULL,
  created_day TEXT NOT NULL,
  sent_at TEXT
) STRICT;
CREATE INDEX sms_outbox_due ON sms_outbox (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX sms_outbox_per_day ON sms_outbox (created_day, phone);

-- Money per day of completion and bundle; bundle 0 is the day as a whole. Kept by triggers, so no way of
-- completing a payment can forget them.
CREATE TABLE daily_stats (
  day TEXT NOT NULL,
  bundle_id INTEGER NOT NULL,
  payments INTEGER NOT NULL,
  revenue_minor INTEGER NOT NULL,
  payers INTEGER NOT NULL,
  PRIMARY KEY (day, bundle_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_payers (
  day TEXT NOT NULL,
  bundle_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  PRIMARY KEY (day, bundle_id, user_id)
) STRICT, WITHOUT ROWID;
-- Orders per day of creation, bundle and status, so that a summary over a whole filter scans no payments.
CREATE TABLE daily_orders (
  day TEXT NOT NULL,
  bundle_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  orders INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL,
  PRIMARY KEY (day, bundle_id, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER daily_payers_counted AFTER INSERT ON daily_payers BEGIN
  UPDATE daily_stats SET payers = payers + 1 WHERE day = NEW.day AND bundle_id = NEW.bundle_id;
END;
CREATE TRIGGER payments_count_completed_insert AFTER INSERT ON payments WHEN NEW.status = 'completed' BEGIN
  INSERT INTO daily_stats VALUES (NEW.completed_day, 0, 1, NEW.amount_minor, 0), (NEW.completed_day, NEW.bundle_id, 1, NEW.amount_minor, 0)
    ON CONFLICT DO UPDATE SET payments = payments + 1, revenue_minor = revenue_minor + excluded.revenue_minor;
  INSERT OR IGNORE INTO daily_payers VALUES (NEW.completed_day, 0, NEW.user_id), (NEW.completed_day, NEW.bundle_id, NEW.user_id);
END;
CREATE TRIGGER payments_count_completed_update AFTER UPDATE OF status ON payments WHEN NEW.status = 'completed' AND OLD.status <> 'completed' BEGIN
  INSERT INTO daily_stats VALUES (NEW.completed_day, 0, 1, NEW.amount_minor, 0), (NEW.completed_day, NEW.bundle_id, 1, NEW.amount_minor, 0)
    ON CONFLICT DO UPDATE SET payments = payments + 1, revenue_minor = revenue_minor + excluded.revenue_minor;
  INSERT OR IGNORE INTO daily_payers VALUES (NEW.completed_day, 0, NEW.user_id), (NEW.completed_day, NEW.bundle_id, NEW.user_id);
END;
CREATE TRIGGER payments_count_order_insert AFTER INSERT ON payments BEGIN
  INSERT INTO daily_orders VALUES (NEW.created_day, NEW.bundle_id, NEW.status, 1, NEW.amount_minor)
    ON CONFLICT DO UPDATE SET orders = orders + 1, amount_minor = amount_minor + excluded.amount_minor;
END;
CREATE TRIGGER payments_count_order_update AFTER UPDATE OF status ON payments WHEN NEW.status <> OLD.status BEGIN
  UPDATE daily_orders SET orders = orders - 1, amount_minor = amount_minor - OLD.amount_minor
    WHERE day = OLD.created_day AND bundle_id = OLD.bundle_id AND status = OLD.status;
  INSERT INTO daily_orders VALUES (NEW.created_day, NEW.bundle_id, NEW.status, 1, NEW.amount_minor)
    ON CONFLICT DO UPDATE SET orders = orders + 1, amount_minor = amount_minor + excluded.amount_minor;
END;
`;
