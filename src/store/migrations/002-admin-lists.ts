/**
 * What staff's lists, refunds and credits need beyond the books.
 *
 * `list_blocks` counts the rows of each list per block of 512 ids, so that a far page is found by adding up a few
 * hundred counts instead of walking past a hundred thousand rows. `order_totals` is `daily_orders` without the day,
 * for summaries over everything.
 */
export const adminLists = `
-- Counts edits by staff: who edits an older version is told so.
ALTER TABLE users ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- When the provider took the refund up; until then nobody knows whether it ever heard of it.
ALTER TABLE refunds ADD COLUMN answered_at TEXT;

-- Time given to everybody who had access during an outage; the same outage is credited once.
CREATE TABLE credits (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_at TEXT NOT NULL,
  to_at TEXT NOT NULL,
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  reason TEXT NOT NULL,
  users INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (from_at, to_at, seconds)
) STRICT;
CREATE INDEX grants_by_end ON grants (ends_at, at, user_id);

DROP INDEX users_by_state;
CREATE INDEX users_by_state ON users (is_active, id, paid_until, deleted_at) WHERE deleted_at IS NULL;
DROP INDEX payments_by_day;
CREATE INDEX payments_by_day ON payments (created_day, id, status, bundle_id, method, amount_minor);
DROP INDEX payments_by_bundle;
CREATE INDEX payments_by_bundle ON payments (bundle_id, id, status, method);
CREATE INDEX payments_by_phone ON payments (phone, id, status, amount_minor);
CREATE INDEX payments_by_reference ON payments (payment_reference) WHERE payment_reference IS NOT NULL;
CREATE INDEX payments_by_transaction ON payments (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX payments_in_cash ON payments (id) WHERE method = 'cash';
CREATE INDEX payments_completed_by_user ON payments (user_id, id) WHERE status = 'completed';
CREATE INDEX vouchers_by_state ON vouchers (batch_id, used_at, revoked_at);

CREATE TABLE order_totals (
  bundle_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  status TEXT NOT NULL,
  orders INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL,
  PRIMARY KEY (bundle_id, method, status)
) STRICT, WITHOUT ROWID;
INSERT INTO order_totals SELECT bundle_id, method, status, count(*), sum(amount_minor) FROM payments GROUP BY 1, 2, 3;
CREATE TRIGGER payments_total_insert AFTER INSERT ON payments BEGIN
  INSERT INTO order_totals VALUES (NEW.bundle_id, NEW.method, NEW.status, 1, NEW.amount_minor)
    ON CONFLICT DO UPDATE SET orders = orders + 1, amount_minor = amount_minor + excluded.amount_minor;
END;
CREATE TRIGGER payments_total_update AFTER UPDATE OF status ON payments WHEN NEW.status <> OLD.status BEGIN
  UPDATE order_totals SET orders = orders - 1, amount_minor = amount_minor - OLD.amount_minor
    WHERE bundle_id = OLD.bundle_id AND method = OLD.method AND status = OLD.status;
  INSERT INTO order_totals VALUES (NEW.bundle_id, NEW.method, NEW.status, 1, NEW.amount_minor)
    ON CONFLICT DO UPDATE SET orders = orders + 1, amount_minor = amount_minor + excluded.amount_minor;
END;

CREATE TABLE list_blocks (
  list TEXT NOT NULL,
  block INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  PRIMARY KEY (list, block)
) STRICT, WITHOUT ROWID;
INSERT INTO list_blocks SELECT 'payments', id / 512, count(*) FROM payments GROUP BY 2;
INSERT INTO list_blocks SELECT 'payments.' || status, id / 512, count(*) FROM payments GROUP BY 1, 2;
INSERT INTO list_blocks SELECT 'users', id / 512, count(*) FROM users WHERE deleted_at IS NULL GROUP BY 2;
INSERT INTO list_blocks SELECT 'users.' || is_active, id / 512, count(*) FROM users WHERE deleted_at IS NULL GROUP BY 1, 2;
CREATE TRIGGER payments_list_insert AFTER INSERT ON payments BEGIN
  INSERT INTO list_blocks VALUES ('payments', NEW.id / 512, 1), ('payments.' || NEW.status, NEW.id / 512, 1)
    ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER payments_list_update AFTER UPDATE OF status ON payments WHEN NEW.status <> OLD.status BEGIN
  UPDATE list_blocks SET rows = rows - 1 WHERE list = 'payments.' || OLD.status AND block = OLD.id / 512;
  INSERT INTO list_blocks VALUES ('payments.' || NEW.status, NEW.id / 512, 1) ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER users_list_insert AFTER INSERT ON users BEGIN
  INSERT INTO list_blocks VALUES ('users', NEW.id / 512, 1), ('users.' || NEW.is_active, NEW.id / 512, 1)
    ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER users_list_block AFTER UPDATE OF is_active ON users
WHEN NEW.is_active <> OLD.is_active AND OLD.deleted_at IS NULL AND NEW.deleted_at IS NULL BEGIN
  UPDATE list_blocks SET rows = rows - 1 WHERE list = 'users.' || OLD.is_active AND block = OLD.id / 512;
  INSERT INTO list_blocks VALUES ('users.' || NEW.is_active, NEW.id / 512, 1) ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER users_list_delete AFTER UPDATE OF deleted_at ON users
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  UPDATE list_blocks SET rows = rows - 1 WHERE list IN ('users', 'users.' || OLD.is_active) AND block = OLD.id / 512;
END;
`;
