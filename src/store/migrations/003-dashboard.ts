/**
 * What the dashboard counts, kept as it changes: it must not take longer when there is more to count.
 *
 * `payers_by_last_day` answers how many different people paid since a day, for any day, by adding up one number a
 * day: everybody counts once, on the day of their latest payment. `row_counts` holds vouchers and devices by state.
 */
export const dashboard = `
CREATE TABLE last_payments (
  user_id INTEGER PRIMARY KEY,
  day TEXT NOT NULL
) STRICT;
CREATE TABLE payers_by_last_day (
  day TEXT PRIMARY KEY,
  payers INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO last_payments SELECT user_id, max(day) FROM daily_payers WHERE bundle_id = 0 GROUP BY user_id;
INSERT INTO payers_by_last_day SELECT day, count(*) FROM last_payments GROUP BY day;
CREATE TRIGGER last_payments_moved AFTER UPDATE OF day ON last_payments BEGIN
  UPDATE payers_by_last_day SET payers = payers - 1 WHERE day = OLD.day;
  INSERT INTO payers_by_last_day VALUES (NEW.day, 1) ON CONFLICT DO UPDATE SET payers = payers + 1;
END;
CREATE TRIGGER last_payments_first AFTER INSERT ON last_payments BEGIN
  INSERT INTO payers_by_last_day VALUES (NEW.day, 1) ON CONFLICT DO UPDATE SET payers = payers + 1;
END;
CREATE TRIGGER daily_payers_last AFTER INSERT ON daily_payers WHEN NEW.bundle_id = 0 BEGIN
  INSERT INTO last_payments VALUES (NEW.user_id, NEW.day)
    ON CONFLICT DO UPDATE SET day = excluded.day WHERE excluded.day > day;
END;

CREATE TABLE row_counts (
  name TEXT PRIMARY KEY,
  rows INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO row_counts VALUES
  ('vouchers', (SELECT count(*) FROM vouchers)),
  ('vouchers.used', (SELECT count(*) FROM vouchers WHERE used_at IS NOT NULL)),
  ('vouchers.revoked', (SELECT count(*) FROM vouchers WHERE revoked_at IS NOT NULL)),
  ('devices', (SELECT count(*) FROM devices WHERE removed_at IS NULL));
CREATE TRIGGER vouchers_counted AFTER INSERT ON vouchers BEGIN
  UPDATE row_counts SET rows = rows + 1 WHERE name = 'vouchers';
END;
CREATE TRIGGER vouchers_counted_used AFTER UPDATE OF used_at ON vouchers WHEN OLD.used_at IS NULL AND NEW.used_at IS NOT NULL BEGIN
  UPDATE row_counts SET rows = rows + 1 WHERE name = 'vouchers.used';
END;
CREATE TRIGGER vouchers_counted_revoked AFTER UPDATE OF revoked_at ON vouchers WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  UPDATE row_counts SET rows = rows + 1 WHERE name = 'vouchers.revoked';
END;
CREATE TRIGGER devices_counted AFTER INSERT ON devices WHEN NEW.removed_at IS NULL BEGIN
  UPDATE row_counts SET rows = rows + 1 WHERE name = 'devices';
END;
CREATE TRIGGER devices_counted_removed AFTER UPDATE OF removed_at ON devices WHEN OLD.removed_at IS NULL AND NEW.removed_at IS NOT NULL BEGIN
  UPDATE row_counts SET rows = rows - 1 WHERE name = 'devices';
END;
CREATE INDEX audit_log_by_age ON audit_log (at);
CREATE INDEX audit_log_by_action ON audit_log (action, id);
`;
