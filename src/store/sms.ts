import { randomUUID } from 'node:crypto';
import type { SmsMessage, SmsWrites } from '../domain/sms.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';
import { changes, numberOf } from './statements.ts';
import { type Columns, table } from './table.ts';

const COLUMNS: Columns<SmsMessage> = {
  id: 'id',
  userId: 'user_id',
  phone: 'phone',
  kind: 'kind',
  key: 'dedupe_key',
  text: 'text',
  status: 'status',
  attempts: 'attempts',
  nextAttemptAt: 'next_attempt_at',
  reference: 'reference',
  message: 'message',
  createdAt: 'created_at',
  createdDay: 'created_day',
  sentAt: 'sent_at',
};

export function smsRepository(db: Database): SmsWrites {
  const messages = table<SmsMessage, { uid: string }>(db, 'sms_outbox', COLUMNS, { hidden: { uid: 'uid' } });
  const begin = db.prepare(
    "UPDATE sms_outbox SET status = 'sending', attempts = attempts + 1, next_attempt_at = NULL WHERE id = ?",
  );
  const mayCost = "status IN ('sending', 'sent', 'uncertain')";
  const charged = db.prepare<[object], { all: number; toPhone: number }>(
    `SELECT (SELECT count(*) FROM sms_outbox WHERE created_day = @day AND ${mayCost}) AS "all",
       (SELECT count(*) FROM sms_outbox WHERE created_day = @day AND phone = @phone AND ${mayCost}) AS toPhone`,
  );
  const forget = db.prepare("DELETE FROM sms_outbox WHERE user_id = ? AND status <> 'sending'");
  const setReminder = db.prepare(
    'INSERT INTO sms_reminders (user_id, due_at) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET due_at = excluded.due_at',
  );
  const clearReminder = db.prepare('DELETE FROM sms_reminders WHERE user_id = ?');
  const dueReminders = db
    .prepare<[Instant, number], number>('SELECT user_id FROM sms_reminders WHERE due_at <= ? ORDER BY due_at LIMIT ?')
    .pluck();
  return {
    list: messages.select<[object]>('ORDER BY id DESC LIMIT @limit OFFSET @offset').all,
    count: numberOf(db, 'SELECT count(*) FROM sms_outbox'),
    due: messages.select<[Instant, number]>(
      'WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?',
    ).all,
    insert({ createdAt, ...message }) {
      const queued = { ...message, uid: randomUUID(), status: 'queued', createdAt, nextAttemptAt: createdAt } as const;
      messages.insert(queued, 'ON CONFLICT (dedupe_key) DO NOTHING');
    },
    begin: id => void begin.run(id),
    end: messages.update,
    endInterrupted: changes(db, "UPDATE sms_outbox SET status = 'uncertain', message = ? WHERE status = 'sending'"),
    charged: (day, phone) => charged.get({ day, phone }) as { all: number; toPhone: number },
    countDeviceCodes: numberOf(
      db,
      "SELECT count(*) FROM sms_outbox WHERE created_day = ? AND kind = 'device_code' AND status <> 'dropped'",
    ),
    forget(userId) {
      forget.run(userId);
      clearReminder.run(userId);
    },
    pruneBefore: changes(
      db,
      'DELETE FROM sms_outbox WHERE id IN (SELECT id FROM sms_outbox WHERE created_day < ? LIMIT ?)',
    ),
    setReminder: (userId, dueAt) => void (dueAt === null ? clearReminder.run(userId) : setReminder.run(userId, dueAt)),
    dueReminders: (now, limit) => dueReminders.all(now, limit),
  };
}
