/**
 * What was sold and what was given back, by day and by hour of the day, kept in the transaction of the money itself.
 *
 * Every source of money writes into the view `sales_changes`, which adds to both tables; another source is another
 * trigger. A refund counts on the day it is reserved, with the bundle, method and seller of what it gives back, until
 * it fails. The hour is of the configured zone, as days are; what was sold before this has none, and refunds from
 * before this stand on their day in UTC, since the books do not know the zone.
 */

/** As `sales_changes` has them. */
const ADDED = 'sales = sales + excluded.sales, gross_minor = gross_minor + excluded.gross_minor';
const GIVEN_BACK = 'refunds = refunds + excluded.refunds, refunded_minor = refunded_minor + excluded.refunded_minor';
const SUMS = `
  sales INTEGER NOT NULL,
  gross_minor INTEGER NOT NULL,
  refunds INTEGER NOT NULL,
  refunded_minor INTEGER NOT NULL,`;

const PAID = `
  INSERT INTO sales_changes VALUES (NEW.completed_day, NEW.completed_hour, NEW.bundle_id,
    NEW.method, coalesce(NEW.sold_by, ''), 1, NEW.amount_minor, 0, 0);`;
const givenBack = (sign: '' | '-') => `
  INSERT INTO sales_changes SELECT NEW.created_day, NEW.created_hour, bundle_id, method, coalesce(sold_by, ''), 0, 0,
    ${sign}1, ${sign}NEW.amount_minor FROM payments WHERE id = NEW.payment_id;`;

export const salesByDay = `
ALTER TABLE payments ADD COLUMN completed_hour INTEGER;
ALTER TABLE refunds ADD COLUMN created_day TEXT NOT NULL DEFAULT '';
ALTER TABLE refunds ADD COLUMN created_hour INTEGER;
-- The shift whose drawer the money was taken from.
ALTER TABLE refunds ADD COLUMN shift_id INTEGER REFERENCES shifts (id);
CREATE INDEX refunds_by_shift ON refunds (shift_id) WHERE shift_id IS NOT NULL;
UPDATE refunds SET created_day = substr(created_at, 1, 10);

CREATE TABLE daily_sales (
  day TEXT NOT NULL,
  bundle_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  -- Empty: nobody of the staff.
  seller TEXT NOT NULL,${SUMS}
  PRIMARY KEY (day, bundle_id, method, seller)
) STRICT, WITHOUT ROWID;
CREATE TABLE hourly_sales (
  day TEXT NOT NULL,
  hour INTEGER NOT NULL,${SUMS}
  PRIMARY KEY (day, hour)
) STRICT, WITHOUT ROWID;
CREATE VIEW sales_changes (day, hour, bundle_id, method, seller, sales, gross_minor, refunds, refunded_minor)
  AS SELECT day, 0, bundle_id, method, seller, sales, gross_minor, refunds, refunded_minor FROM daily_sales;
CREATE TRIGGER sales_changes_added INSTEAD OF INSERT ON sales_changes BEGIN
  INSERT INTO daily_sales VALUES (NEW.day, NEW.bundle_id, NEW.method, NEW.seller,
      NEW.sales, NEW.gross_minor, NEW.refunds, NEW.refunded_minor)
    ON CONFLICT DO UPDATE SET ${ADDED}, ${GIVEN_BACK};
  INSERT INTO hourly_sales SELECT NEW.day, NEW.hour, NEW.sales, NEW.gross_minor, NEW.refunds, NEW.refunded_minor
    WHERE NEW.hour IS NOT NULL ON CONFLICT DO UPDATE SET ${ADDED}, ${GIVEN_BACK};
END;

INSERT INTO daily_sales SELECT completed_day, bundle_id, method, coalesce(sold_by, ''), count(*), sum(amount_minor), 0, 0
  FROM payments WHERE status = 'completed' GROUP BY 1, 2, 3, 4;
INSERT INTO daily_sales
  SELECT refunds.created_day, bundle_id, method, coalesce(sold_by, ''), 0, 0, count(*), sum(refunds.amount_minor)
  FROM refunds JOIN payments ON payments.id = payment_id WHERE refunds.status <> 'failed' GROUP BY 1, 2, 3, 4
  ON CONFLICT DO UPDATE SET ${GIVEN_BACK};
CREATE TRIGGER sales_paid_insert AFTER INSERT ON payments WHEN NEW.status = 'completed' BEGIN ${PAID}
END;
CREATE TRIGGER sales_paid_update AFTER UPDATE OF status ON payments
WHEN NEW.status = 'completed' AND OLD.status <> 'completed' BEGIN ${PAID}
END;
CREATE TRIGGER sales_given_back AFTER INSERT ON refunds WHEN NEW.status <> 'failed' BEGIN ${givenBack('')}
END;
CREATE TRIGGER sales_kept AFTER UPDATE OF status ON refunds
WHEN NEW.status = 'failed' AND OLD.status <> 'failed' BEGIN ${givenBack('-')}
END;

-- Money is in daily_sales now; how many different people paid is all that is left of the old figures.
DROP TRIGGER payments_count_completed_insert;
DROP TRIGGER payments_count_completed_update;
DROP TRIGGER daily_payers_counted;
ALTER TABLE daily_stats DROP COLUMN payments;
ALTER TABLE daily_stats DROP COLUMN revenue_minor;
ALTER TABLE daily_stats RENAME TO payers_by_day;
CREATE TRIGGER daily_payers_counted AFTER INSERT ON daily_payers BEGIN
  INSERT INTO payers_by_day VALUES (NEW.day, NEW.bundle_id, 1) ON CONFLICT DO UPDATE SET payers = payers + 1;
END;
CREATE TRIGGER payments_payers_insert AFTER INSERT ON payments WHEN NEW.status = 'completed' BEGIN
  INSERT OR IGNORE INTO daily_payers VALUES (NEW.completed_day, 0, NEW.user_id), (NEW.completed_day, NEW.bundle_id, NEW.user_id);
END;
CREATE TRIGGER payments_payers_update AFTER UPDATE OF status ON payments
WHEN NEW.status = 'completed' AND OLD.status <> 'completed' BEGIN
  INSERT OR IGNORE INTO daily_payers VALUES (NEW.completed_day, 0, NEW.user_id), (NEW.completed_day, NEW.bundle_id, NEW.user_id);
END;
`;
