/** What sending messages needs beyond the outbox: reminders by their time, limits by day, and what a crash left half done. */
export const sms = `
CREATE TABLE sms_reminders (
  user_id INTEGER PRIMARY KEY REFERENCES users (id),
  due_at TEXT NOT NULL
) STRICT;
CREATE INDEX sms_reminders_due ON sms_reminders (due_at);

DROP INDEX sms_outbox_per_day;
CREATE INDEX sms_outbox_per_day ON sms_outbox (created_day, phone, status);
CREATE INDEX sms_outbox_under_way ON sms_outbox (id) WHERE status = 'sending';
CREATE INDEX sms_outbox_by_user ON sms_outbox (user_id) WHERE user_id IS NOT NULL;
`;
