/**
 * The log of notifications is held within bounds as it is written to, so its size is kept as it changes: once for
 * what the provider signed about orders of ours (`is_proven`), once for what anybody can have sent.
 */

/** Bytes that a row and its index entries take, near enough; 200 for its fixed columns. */
export const sizeOf = (row: string) =>
  `200 + octet_length(${row}.webhook_data) + octet_length(${row}.payment_status) + 2 * octet_length(${row}.event_key)
    + 2 * coalesce(octet_length(${row}.order_reference), 0) + coalesce(octet_length(${row}.payment_reference), 0)
    + coalesce(octet_length(${row}.phone), 0)`;

export const boundedNotifications = `
ALTER TABLE webhook_logs ADD COLUMN is_proven INTEGER NOT NULL DEFAULT 0 CHECK (is_proven IN (0, 1));
UPDATE webhook_logs SET is_proven = 1
  WHERE authenticity IN ('signed', 'shared-secret') AND order_reference IN (SELECT order_reference FROM payments);
CREATE INDEX webhook_logs_unproven ON webhook_logs (id) WHERE is_proven = 0;

CREATE TABLE webhook_log_size (
  is_proven INTEGER PRIMARY KEY,
  rows INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO webhook_log_size
  SELECT kind.column1, count(webhook_logs.id), coalesce(sum(${sizeOf('webhook_logs')}), 0)
  FROM (VALUES (0), (1)) AS kind LEFT JOIN webhook_logs ON webhook_logs.is_proven = kind.column1 GROUP BY 1;
CREATE TRIGGER webhook_logs_sized AFTER INSERT ON webhook_logs BEGIN
  UPDATE webhook_log_size SET rows = rows + 1, bytes = bytes + ${sizeOf('NEW')} WHERE is_proven = NEW.is_proven;
END;
CREATE TRIGGER webhook_logs_sized_removed AFTER DELETE ON webhook_logs BEGIN
  UPDATE webhook_log_size SET rows = rows - 1, bytes = bytes - (${sizeOf('OLD')}) WHERE is_proven = OLD.is_proven;
END;
`;
