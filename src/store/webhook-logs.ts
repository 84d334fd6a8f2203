import type { Notice } from '../domain/ports.ts';
import type { Instant } from '../domain/time.ts';
import type { LogBounds, WebhookLog, WebhookLogWrites, WebhookOutcome } from '../domain/webhook-logs.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, provider, event_key, authenticity, outcome, order_reference, payment_reference, payment_status, amount_minor,
  currency, phone, ip_address, processed_at`;

/** Payloads up to this many bytes are whole in lists; nearly all are. */
const LONGEST_IN_LIST = 6_144;
/** A list may have 1,000 rows. */
const SHORTENED = `CASE WHEN octet_length(webhook_data) <= ${LONGEST_IN_LIST} THEN webhook_data
  ELSE json_object('truncated', json('true'), 'bytes', octet_length(webhook_data), 'raw', substr(webhook_data, 1, 1024)) END`;

interface Row {
  id: number;
  provider: string;
  event_key: string;
  authenticity: Notice['authenticity'];
  outcome: WebhookOutcome;
  order_reference: string | null;
  payment_reference: string | null;
  payment_status: string;
  amount_minor: number | null;
  currency: string | null;
  phone: string | null;
  webhook_data: string;
  ip_address: string | null;
  processed_at: Instant;
}

interface LogSize {
  rows: number;
  bytes: number;
  unprovenBytes: number;
}

function toWebhookLog(row: Row): WebhookLog {
  return {
    id: row.id,
    provider: row.provider,
    eventKey: row.event_key,
    authenticity: row.authenticity,
    outcome: row.outcome,
    orderReference: row.order_reference,
    paymentReference: row.payment_reference,
    paymentStatus: row.payment_status,
    amount: row.amount_minor === null ? null : { minor: row.amount_minor, currency: row.currency ?? '' },
    phone: row.phone,
    data: JSON.parse(row.webhook_data) as Record<string, unknown>,
    ip: row.ip_address,
    processedAt: row.processed_at,
  };
}

export function webhookLogRepository(db: Database): WebhookLogWrites {
  const byId = db.prepare<[number], Row>(`SELECT ${COLUMNS}, webhook_data FROM webhook_logs WHERE id = ?`);
  const list = db.prepare<[number, number], Row>(
    `SELECT ${COLUMNS}, ${SHORTENED} AS webhook_data FROM webhook_logs ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM webhook_logs').pluck();
  const ofOrder = db.prepare<[string], Row>(
    `SELECT ${COLUMNS}, ${SHORTENED} AS webhook_data FROM webhook_logs WHERE order_reference = ? ORDER BY id DESC LIMIT 200`,
  );
  const known = db.prepare<[string, string], 1>(
    `SELECT 1 FROM webhook_logs WHERE provider = ? AND event_key = ? AND outcome <> 'refused' LIMIT 1`,
  );
  const insert = db.prepare<[object]>(
    `INSERT INTO webhook_logs (provider, event_key, authenticity, outcome, order_reference, payment_reference, payment_status,
       amount_minor, currency, phone, webhook_data, ip_address, processed_at, is_proven)
     VALUES (@provider, @eventKey, @authenticity, @outcome, @orderReference, @paymentReference, @paymentStatus,
       @amountMinor, @currency, @phone, @data, @ip, @processedAt, @isProven)`,
  );
  const pruneOld = db.prepare(
    'DELETE FROM webhook_logs WHERE id IN (SELECT id FROM webhook_logs WHERE processed_at < ? ORDER BY processed_at LIMIT ?)',
  );
  const size = db.prepare<[], LogSize>(
    'SELECT sum(rows) AS rows, sum(bytes) AS bytes, sum(iif(is_proven, 0, bytes)) AS unprovenBytes FROM webhook_log_size',
  );
  const forgetUnproven = db.prepare(
    'DELETE FROM webhook_logs WHERE id = (SELECT min(id) FROM webhook_logs WHERE is_proven = 0)',
  );
  const forgetOldest = db.prepare('DELETE FROM webhook_logs WHERE id = (SELECT min(id) FROM webhook_logs)');

  function isWithin(bounds: LogBounds): boolean {
    const { rows, bytes, unprovenBytes } = size.get() as LogSize;
    return rows <= bounds.rows && bytes <= bounds.bytes && unprovenBytes <= bounds.unprovenBytes;
  }

  return {
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? null : toWebhookLog(row);
    },
    list: ({ limit, offset }) => list.all(limit, offset).map(toWebhookLog),
    count: () => count.get() as number,
    ofOrder: reference => ofOrder.all(reference).map(toWebhookLog),
    isKnown: (provider, eventKey) => known.get(provider, eventKey) !== undefined,
    insert(log) {
      const { amount, data, isProven, ...rest } = log;
      insert.run({
        ...rest,
        isProven: Number(isProven),
        data: JSON.stringify(data),
        amountMinor: amount?.minor ?? null,
        currency: amount?.currency ?? null,
      });
    },
    makeRoom(bounds, limit) {
      let forgotten = 0;
      while (forgotten < limit && !isWithin(bounds)) {
        if (forgetUnproven.run().changes === 0) forgetOldest.run();
        forgotten += 1;
      }
      return forgotten;
    },
    prune: (before, limit) => pruneOld.run(before, limit).changes,
  };
}
