/**
 * Lists are counted and paged along narrow indexes when somebody looks at them, and totals over all days are added up
 * from `daily_orders`: nothing is kept for them by triggers any more.
 */
export const countsWhenAsked = `
CREATE INDEX payments_listed ON payments (id);
CREATE INDEX users_by_deletion ON users (deleted_at);
DROP INDEX users_listed;

DROP TRIGGER payments_list_insert;
DROP TRIGGER payments_list_update;
DROP TRIGGER users_list_insert;
DROP TRIGGER users_list_block;
DROP TRIGGER users_list_delete;
DROP TABLE list_blocks;

DROP TRIGGER payments_total_insert;
DROP TRIGGER payments_total_update;
DROP TABLE order_totals;

DROP TRIGGER vouchers_counted;
DROP TRIGGER vouchers_counted_used;
DROP TRIGGER vouchers_counted_revoked;
DROP TRIGGER devices_counted;
DROP TRIGGER devices_counted_removed;
DROP TABLE row_counts;
CREATE TRIGGER vouchers_counted_used AFTER UPDATE OF used_at ON vouchers WHEN OLD.used_at IS NULL AND NEW.used_at IS NOT NULL BEGIN
  UPDATE voucher_batches SET used = used + 1 WHERE id = NEW.batch_id;
END;
CREATE TRIGGER vouchers_counted_revoked AFTER UPDATE OF revoked_at ON vouchers WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL BEGIN
  UPDATE voucher_batches SET revoked = revoked + 1 WHERE id = NEW.batch_id;
END;
`;
