import { randomUUID } from 'node:crypto';
import type { Phone } from '../domain/phone.ts';
import type { SmsEnd, SmsKind, SmsMessage, SmsStatus, SmsWrites } from '../domain/sms.ts';
import type { Day, Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const COLUMNS =
  'id, user_id, phone, kind, dedupe_key, text, status, attempts, next_attempt_at, reference, message, created_at, created_day, sent_at';

interface Row {
  id: number;
  user_id: number | null;
  phone: Phone;
  kind: SmsKind;
  dedupe_key: string;
  text: string;
  status: SmsStatus;
  attempts: number;
  next_attempt_at: Instant | null;
  reference: string | null;
  message: string | null;
  created_at: Instant;
  created_day: Day;
  sent_at: Instant | null;
}

const toMessage = (row: Row): SmsMessage => ({
  id: row.id,
  userId: row.user_id,
  phone: row.phone,
  kind: row.kind,
  key: row.dedupe_key,
  text: row.text,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  reference: row.reference,
  message: row.message,
  createdAt: row.created_at,
  createdDay: row.created_day,
  sentAt: row.sent_at,
});

export function smsRepository(db: Database): SmsWrites {
  const due = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM sms_outbox WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?`,
  );
  const list = db.prepare<[object], Row>(
    `SELECT ${COLUMNS} FROM sms_outbox ORDER BY id DESC LIMIT @limit OFFSET @offset`,
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM sms_outbox').pluck();
  const insert = db.prepare(
    `INSERT INTO sms_outbox (uid, user_id, phone, kind, dedupe_key, text, status, next_attempt_at, created_at, created_day)
     VALUES (@uid, @userId, @phone, @kind, @key, @text, 'queued', @createdAt, @createdAt, @createdDay)
     ON CONFLICT (dedupe_key) DO NOTHING`,
  );
  const begin = db.prepare(
    "UPDATE sms_outbox SET status = 'sending', attempts = attempts + 1, next_attempt_at = NULL WHERE id = ?",
  );
  const end = db.prepare<[SmsEnd & { id: number }]>(
    `UPDATE sms_outbox SET status = @status, reference = @reference, message = @message, next_attempt_at = @nextAttemptAt,
       sent_at = @sentAt WHERE id = @id`,
  );
  const endInterrupted = db.prepare("UPDATE sms_outbox SET status = 'uncertain', message = ? WHERE status = 'sending'");
  const mayCost = "status IN ('sending', 'sent', 'uncertain')";
  const charged = db.prepare<[object], { all: number; toPhone: number }>(
    `SELECT (SELECT count(*) FROM sms_outbox WHERE created_day = @day AND ${mayCost}) AS "all",
       (SELECT count(*) FROM sms_outbox WHERE created_day = @day AND phone = @phone AND ${mayCost}) AS toPhone`,
  );
  const codes = db
    .prepare<[string], number>(
      `SELECT count(*) FROM sms_outbox WHERE created_day = ? AND kind = 'device_code' AND status <> 'dropped'`,
    )
    .pluck();
  const forget = db.prepare("DELETE FROM sms_outbox WHERE user_id = ? AND status <> 'sending'");
  const prune = db.prepare(
    'DELETE FROM sms_outbox WHERE id IN (SELECT id FROM sms_outbox WHERE created_day < ? LIMIT ?)',
  );
  const setReminder = db.prepare(
    'INSERT INTO sms_reminders (user_id, due_at) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET due_at = excluded.due_at',
  );
  const clearReminder = db.prepare('DELETE FROM sms_reminders WHERE user_id = ?');
  const dueReminders = db
    .prepare<[Instant, number], number>('SELECT user_id FROM sms_reminders WHERE due_at <= ? ORDER BY due_at LIMIT ?')
    .pluck();
  return {
    list: page => list.all(page).map(toMessage),
    count: () => count.get() as number,
    due: (now, limit) => due.all(now, limit).map(toMessage),
    insert: message => void insert.run({ ...message, uid: randomUUID() }),
    begin: id => void begin.run(id),
    end: (id, change) => void end.run({ id, ...change }),
    endInterrupted: message => endInterrupted.run(message).changes,
    charged: (day, phone) => charged.get({ day, phone }) as { all: number; toPhone: number },
    countDeviceCodes: day => codes.get(day) as number,
    forget(userId) {
      forget.run(userId);
      clearReminder.run(userId);
    },
    pruneBefore: (day, limit) => prune.run(day, limit).changes,
    setReminder: (userId, dueAt) => void (dueAt === null ? clearReminder.run(userId) : setReminder.run(userId, dueAt)),
    dueReminders: (now, limit) => dueReminders.all(now, limit),
  };
}
