import type { Notice } from '../domain/ports.ts';
import type { Instant } from '../domain/time.ts';
import type { WebhookLog, WebhookLogWrites, WebhookOutcome } from '../domain/webhook-logs.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, provider, event_key, authenticity, outcome, order_reference, payment_reference, payment_status, amount_minor,
  currency, phone, webhook_data, ip_address, processed_at`;

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
  const list = db.prepare<[number, number], Row>(
    `SELECT ${COLUMNS} FROM webhook_logs ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM webhook_logs').pluck();
  const ofOrder = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM webhook_logs WHERE order_reference = ? ORDER BY id DESC LIMIT 200`,
  );
  const known = db.prepare<[string, string], 1>(
    `SELECT 1 FROM webhook_logs WHERE provider = ? AND event_key = ? AND outcome <> 'refused' LIMIT 1`,
  );
  const insert = db
    .prepare<[object], number>(
      `INSERT INTO webhook_logs (provider, event_key, authenticity, outcome, order_reference, payment_reference, payment_status,
         amount_minor, currency, phone, webhook_data, ip_address, processed_at)
       VALUES (@provider, @eventKey, @authenticity, @outcome, @orderReference, @paymentReference, @paymentStatus,
         @amountMinor, @currency, @phone, @data, @ip, @processedAt) RETURNING id`,
    )
    .pluck();
  const pruneOld = db.prepare(
    'DELETE FROM webhook_logs WHERE id IN (SELECT id FROM webhook_logs WHERE processed_at < ? ORDER BY processed_at LIMIT ?)',
  );
  const pruneBeyond = db.prepare(
    `DELETE FROM webhook_logs WHERE id IN
       (SELECT id FROM webhook_logs WHERE id <= (SELECT max(id) FROM webhook_logs) - ? ORDER BY id LIMIT ?)`,
  );
  return {
    list: ({ limit, offset }) => list.all(limit, offset).map(toWebhookLog),
    count: () => count.get() as number,
    ofOrder: reference => ofOrder.all(reference).map(toWebhookLog),
    isKnown: (provider, eventKey) => known.get(provider, eventKey) !== undefined,
    insert(log) {
      const { amount, data, ...rest } = log;
      const columns = {
        ...rest,
        data: JSON.stringify(data),
        amountMinor: amount?.minor ?? null,
        currency: amount?.currency ?? null,
      };
      return { ...log, id: insert.get(columns) as number };
    },
    prune: (before, keep, limit) => Math.max(pruneOld.run(before, limit).changes, pruneBeyond.run(keep, limit).changes),
  };
}
