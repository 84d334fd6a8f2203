/**
 * Vouchers in the books: whether a batch is stock or given away, what one of it costs, and who sold which codes when, at
 * what price, in which shift. A batch counts how many of its codes have left its stock, how many are sold, and how many
 * were used though nobody has sold them. Nothing is known of what was sold before this.
 */
export const voucherSales = `
CREATE TABLE voucher_sales (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  batch_id INTEGER NOT NULL REFERENCES voucher_batches (id),
  bundle_id INTEGER NOT NULL REFERENCES bundles (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  -- Of one.
  price_minor INTEGER NOT NULL CHECK (price_minor >= 0),
  sold_by TEXT NOT NULL,
  shift_id INTEGER REFERENCES shifts (id),
  sold_at TEXT NOT NULL,
  sold_day TEXT NOT NULL,
  sold_hour INTEGER NOT NULL,
  -- What nobody had used of it was taken back, once.
  returned INTEGER NOT NULL DEFAULT 0 CHECK (returned BETWEEN 0 AND quantity),
  returned_by TEXT,
  returned_at TEXT,
  returned_day TEXT,
  returned_hour INTEGER,
  return_shift_id INTEGER REFERENCES shifts (id),
  CHECK ((returned > 0) = (returned_at IS NOT NULL))
) STRICT;
CREATE INDEX voucher_sales_by_batch ON voucher_sales (batch_id, id);
CREATE INDEX voucher_sales_by_seller ON voucher_sales (sold_by, id);
CREATE INDEX voucher_sales_by_shift ON voucher_sales (shift_id) WHERE shift_id IS NOT NULL;
CREATE INDEX voucher_sales_by_return ON voucher_sales (return_shift_id) WHERE return_shift_id IS NOT NULL;
CREATE TRIGGER sales_vouchers AFTER INSERT ON voucher_sales BEGIN
  INSERT INTO sales_changes VALUES (NEW.sold_day, NEW.sold_hour, NEW.bundle_id, 'voucher', NEW.sold_by,
    NEW.quantity, NEW.quantity * NEW.price_minor, 0, 0);
END;
CREATE TRIGGER sales_vouchers_back AFTER UPDATE OF returned ON voucher_sales WHEN NEW.returned > 0 AND OLD.returned = 0 BEGIN
  INSERT INTO sales_changes VALUES (NEW.returned_day, NEW.returned_hour, NEW.bundle_id, 'voucher', NEW.sold_by,
    0, 0, NEW.returned, NEW.returned * NEW.price_minor);
END;

ALTER TABLE vouchers ADD COLUMN sale_id INTEGER REFERENCES voucher_sales (id);
CREATE INDEX vouchers_by_sale ON vouchers (sale_id) WHERE sale_id IS NOT NULL;
ALTER TABLE voucher_batches ADD COLUMN kind TEXT NOT NULL DEFAULT 'stock' CHECK (kind IN ('stock', 'giveaway'));
ALTER TABLE voucher_batches ADD COLUMN price_minor INTEGER NOT NULL DEFAULT 0 CHECK (price_minor >= 0);
ALTER TABLE voucher_batches ADD COLUMN left_stock INTEGER NOT NULL DEFAULT 0;
ALTER TABLE voucher_batches ADD COLUMN sold INTEGER NOT NULL DEFAULT 0;
ALTER TABLE voucher_batches ADD COLUMN used_unsold INTEGER NOT NULL DEFAULT 0;
UPDATE voucher_batches SET left_stock = used + revoked, used_unsold = used,
  price_minor = (SELECT price_minor FROM bundles WHERE bundles.id = bundle_id);
DROP INDEX voucher_batches_by_expiry;
CREATE INDEX voucher_batches_by_expiry
  ON voucher_batches (expires_at, quantity, used, revoked, kind, left_stock, sold, used_unsold);
CREATE INDEX voucher_batches_to_sell ON voucher_batches (bundle_id, id) WHERE kind = 'stock' AND left_stock < quantity;

DROP TRIGGER vouchers_counted_used;
DROP TRIGGER vouchers_counted_revoked;
CREATE TRIGGER vouchers_counted_used AFTER UPDATE OF used_at ON vouchers WHEN OLD.used_at IS NULL AND NEW.used_at IS NOT NULL BEGIN
  UPDATE voucher_batches SET used = used + 1, left_stock = left_stock + (OLD.sale_id IS NULL),
    used_unsold = used_unsold + (OLD.sale_id IS NULL) WHERE id = NEW.batch_id;
END;
CREATE TRIGGER vouchers_counted_revoked AFTER UPDATE OF revoked_at ON vouchers WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  UPDATE voucher_batches SET revoked = revoked + 1, left_stock = left_stock + (OLD.sale_id IS NULL) WHERE id = NEW.batch_id;
END;
CREATE TRIGGER vouchers_counted_sold AFTER UPDATE OF sale_id ON vouchers WHEN OLD.sale_id IS NULL AND NEW.sale_id IS NOT NULL BEGIN
  UPDATE voucher_batches SET sold = sold + 1, left_stock = left_stock + (OLD.used_at IS NULL),
    used_unsold = used_unsold - (OLD.used_at IS NOT NULL) WHERE id = NEW.batch_id;
END;
-- What is taken back is revoked, and so does not come back into the stock.
CREATE TRIGGER vouchers_counted_returned AFTER UPDATE OF sale_id ON vouchers WHEN OLD.sale_id IS NOT NULL AND NEW.sale_id IS NULL BEGIN
  UPDATE voucher_batches SET sold = sold - 1 WHERE id = NEW.batch_id;
END;
`;
