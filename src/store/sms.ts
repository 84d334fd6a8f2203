import { randomUUID } from 'node:crypto';
import type { Phone } from '../domain/phone.ts';
import type { SmsKind, SmsMessage, SmsStatus, SmsWrites } from '../domain/sms.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const COLUMNS =
  'id, user_id, phone, kind, text, status, attempts, next_attempt_at, reference, message, created_at, sent_at';

interface Row {
  id: number;
  user_id: number | null;
  phone: Phone;
  kind: SmsKind;
  text: string;
  status: SmsStatus;
  attempts: number;
  next_attempt_at: Instant | null;
  reference: string | null;
  message: string | null;
  created_at: Instant;
  sent_at: Instant | null;
}

const toMessage = (row: Row): SmsMessage => ({
  id: row.id,
  userId: row.user_id,
  phone: row.phone,
  kind: row.kind,
  text: row.text,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  reference: row.reference,
  message: row.message,
  createdAt: row.created_at,
  sentAt: row.sent_at,
});

export function smsRepository(db: Database): SmsWrites {
  const due = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM sms_outbox WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?`,
  );
  const insert = db.prepare(
    `INSERT INTO sms_outbox (uid, user_id, phone, kind, dedupe_key, text, status, next_attempt_at, created_at, created_day)
     VALUES (@uid, @userId, @phone, @kind, @key, @text, 'queued', @createdAt, @createdAt, @createdDay)
     ON CONFLICT (dedupe_key) DO NOTHING`,
  );
  const forget = db.prepare("DELETE FROM sms_outbox WHERE user_id = ? AND status = 'queued'");
  return {
    due: (now, limit) => due.all(now, limit).map(toMessage),
    insert: message => void insert.run({ ...message, uid: randomUUID() }),
    forget: userId => void forget.run(userId),
  };
}
