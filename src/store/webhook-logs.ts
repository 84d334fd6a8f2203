import type { LogBounds, WebhookLog, WebhookLogWrites } from '../domain/webhook-logs.ts';
import type { Database } from './database.ts';
import { changes, exists, numberOf } from './statements.ts';
import { type Columns, flag, json, money, table } from './table.ts';

const COLUMNS: Columns<WebhookLog> = {
  id: 'id',
  provider: 'provider',
  eventKey: 'event_key',
  authenticity: 'authenticity',
  outcome: 'outcome',
  orderReference: 'order_reference',
  paymentReference: 'payment_reference',
  paymentStatus: 'payment_status',
  amount: money('amount_minor', 'currency'),
  phone: 'phone',
  data: json('webhook_data'),
  ip: 'ip_address',
  processedAt: 'processed_at',
};

/** Payloads up to this many bytes are whole in lists; nearly all are. */
const LONGEST_IN_LIST = 6_144;
/** A list may have 1,000 rows. */
const SHORTENED = `CASE WHEN octet_length(webhook_data) <= ${LONGEST_IN_LIST} THEN webhook_data
  ELSE json_object('truncated', json('true'), 'bytes', octet_length(webhook_data), 'raw', substr(webhook_data, 1, 1024)) END`;

export function webhookLogRepository(db: Database): WebhookLogWrites {
  const logs = table<WebhookLog, { isProven: boolean }>(db, 'webhook_logs', COLUMNS, {
    hidden: { isProven: flag('is_proven') },
  });
  const shortened = table<WebhookLog>(db, 'webhook_logs', { ...COLUMNS, data: json(SHORTENED) });
  const size = db.prepare<[], LogBounds>(
    'SELECT sum(rows) AS rows, sum(bytes) AS bytes, sum(iif(is_proven, 0, bytes)) AS unprovenBytes FROM webhook_log_size',
  );
  const forgetUnproven = db.prepare(
    'DELETE FROM webhook_logs WHERE id = (SELECT min(id) FROM webhook_logs WHERE is_proven = 0)',
  );
  const forgetOldest = db.prepare('DELETE FROM webhook_logs WHERE id = (SELECT min(id) FROM webhook_logs)');

  function isWithin(bounds: LogBounds): boolean {
    const { rows, bytes, unprovenBytes } = size.get() as LogBounds;
    return rows <= bounds.rows && bytes <= bounds.bytes && unprovenBytes <= bounds.unprovenBytes;
  }

  return {
    byId: logs.select<[number]>('WHERE id = ?').get,
    list: shortened.select<[object]>('ORDER BY id DESC LIMIT @limit OFFSET @offset').all,
    count: numberOf(db, 'SELECT count(*) FROM webhook_logs'),
    ofOrder: shortened.select<[string]>('WHERE order_reference = ? ORDER BY id DESC LIMIT 200').all,
    isKnown: exists(
      db,
      "SELECT 1 FROM webhook_logs WHERE provider = ? AND event_key = ? AND outcome <> 'refused' LIMIT 1",
    ),
    insert: logs.insert,
    makeRoom(bounds, limit) {
      let forgotten = 0;
      while (forgotten < limit && !isWithin(bounds)) {
        if (forgetUnproven.run().changes === 0) forgetOldest.run();
        forgotten += 1;
      }
      return forgotten;
    },
    prune: changes(
      db,
      'DELETE FROM webhook_logs WHERE id IN (SELECT id FROM webhook_logs WHERE processed_at < ? ORDER BY processed_at LIMIT ?)',
    ),
  };
}
