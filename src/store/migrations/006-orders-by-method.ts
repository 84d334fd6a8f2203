/** What was sold in cash on some days, without looking at each payment: `daily_orders` tells the methods apart. */
export const ordersByMethod = `
DROP TRIGGER payments_count_order_insert;
DROP TRIGGER payments_count_order_update;
DROP TABLE daily_orders;
CREATE TABLE daily_orders (
  day TEXT NOT NULL,
  bundle_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  status TEXT NOT NULL,
  orders INTEGER NOT NULL,
  amount_minor INTEGER NOT NULL,
  PRIMARY KEY (day, bundle_id, method, status)
) STRICT, WITHOUT ROWID;
INSERT INTO daily_orders
  SELECT created_day, bundle_id, method, status, count(*), sum(amount_minor) FROM payments GROUP BY 1, 2, 3, 4;
CREATE TRIGGER payments_count_order_insert AFTER INSERT ON payments BEGIN
  INSERT INTO daily_orders VALUES (NEW.created_day, NEW.bundle_id, NEW.method, NEW.status, 1, NEW.amount_minor)
    ON CONFLICT DO UPDATE SET orders = orders + 1, amount_minor = amount_minor + excluded.amount_minor;
END;
CREATE TRIGGER payments_count_order_update AFTER UPDATE OF status ON payments WHEN NEW.status <> OLD.status BEGIN
  UPDATE daily_orders SET orders = orders - 1, amount_minor = amount_minor - OLD.amount_minor
    WHERE day = OLD.created_day AND bundle_id = OLD.bundle_id AND method = OLD.method AND status = OLD.status;
  INSERT INTO daily_orders VALUES (NEW.created_day, NEW.bundle_id, NEW.method, NEW.status, 1, NEW.amount_minor)
    ON CONFLICT DO UPDATE SET orders = orders + 1, amount_minor = amount_minor + excluded.amount_minor;
END;
`;
