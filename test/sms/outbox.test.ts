/** The outbox by itself: when it takes a message, how often, and when it lets one go. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantTime } from '../../src/domain/access.ts';
import type { Phone } from '../../src/domain/phone.ts';
import { parsePhone } from '../../src/domain/phone.ts';
import type { SmsAnswer } from '../../src/domain/ports.ts';
import { prune } from '../../src/domain/pruning.ts';
import {
  announceEnding,
  announceExpiry,
  claimSms,
  endInterruptedSms,
  queueSms,
  recordSmsAnswer,
  type SmsMessage,
} from '../../src/domain/sms.ts';
import { addSeconds, type Instant, secondsBetween } from '../../src/domain/time.ts';
import { deleteUser } from '../../src/domain/users.ts';
import { type Books, NOW, openBooks } from '../support/books.ts';

const ASHA = parsePhone('+255712345678', 'TZ') as Phone;
const HOUR = 3_600;

function queue(books: Books, key: string, phone: Phone = ASHA, now: Instant = NOW): void {
  const user = books.tx.users.ensure(phone, 1, now);
  queueSms(books.at(now), { kind: 'payment_received', user, key, paidUntil: addSeconds(now, HOUR) });
}

function claim(books: Books, now: Instant = NOW, limit = 50): SmsMessage[] {
  return claimSms(books.at(now), { limit }).messages;
}

function answered(books: Books, message: SmsMessage, outcome: SmsAnswer['outcome'], now: Instant = NOW) {
  const answer = { outcome, reference: outcome === 'accepted' ? 'ref-1' : null, message: null };
  return recordSmsAnswer(books.at(now), { smsId: message.id, attempt: message.attempts, answer }).status;
}

function all(books: Books): SmsMessage[] {
  return books.reads.sms.list({ limit: 2_000, offset: 0 });
}

function give(books: Books, seconds: number, now: Instant, sourceId: number): void {
  const user = books.tx.users.ensure(ASHA, 1, now);
  grantTime(books.at(now), user, { source: 'voucher', sourceId, seconds, by: 'test', reason: '' });
}

function remind(books: Books, now: Instant) {
  return announceEnding(books.at(now), { limit: 10, until: now });
}

test('a message that was taken is on disk as being sent, and is not taken again', () => {
  using books = openBooks();
  queue(books, 'a');
  const [message] = claim(books);
  assert.equal(message?.attempts, 1);
  assert.equal(all(books)[0]?.status, 'sending');
  assert.deepEqual(claim(books), []);
});

test('what a crash left half sent becomes uncertain and is never sent again', () => {
  using books = openBooks();
  queue(books, 'a');
  queue(books, 'b');
  const [first] = claim(books, NOW, 1);
  assert.deepEqual(endInterruptedSms(books.tx), { uncertain: 1 });
  assert.deepEqual(
    claim(books, addSeconds(NOW, HOUR)).map(message => message.key),
    ['b'],
  );
  const left = all(books).find(message => message.id === first?.id);
  assert.equal(left?.status, 'uncertain');
  assert.match(left?.message ?? '', /stopped while/);
});

for (const [outcome, status] of [
  ['accepted', 'sent'],
  ['refused', 'failed'],
  ['uncertain', 'uncertain'],
] as const) {
  test(`an answer of ${outcome} is final: ${status}`, () => {
    using books = openBooks();
    queue(books, 'a');
    const [message] = claim(books);
    assert.equal(answered(books, message as SmsMessage, outcome), status);
    assert.deepEqual(claim(books, addSeconds(NOW, 6 * HOUR)), []);
    const [kept] = all(books);
    assert.equal(kept?.status, status);
    assert.equal(kept?.reference, outcome === 'accepted' ? 'ref-1' : null);
    assert.equal(kept?.sentAt, outcome === 'accepted' ? NOW : null);
  });
}

test('what was certainly not accepted is tried five times, at growing intervals', () => {
  using books = openBooks();
  queue(books, 'a');
  const times: Instant[] = [];
  for (let now = NOW; times.length < 6 && secondsBetween(NOW, now) < 5 * HOUR; now = addSeconds(now, 10)) {
    for (const message of claim(books, now)) {
      times.push(now);
      answered(books, message, 'retry', now);
    }
  }
  const pauses = times.slice(1).map((time, index) => secondsBetween(times[index] as Instant, time));
  assert.deepEqual(pauses, [30, 120, 600, 3_600]);
  assert.equal(all(books)[0]?.status, 'failed');
});

test('a number gets 20 messages a day at most, and more the next day', () => {
  using books = openBooks();
  for (let index = 0; index < 25; index += 1) queue(books, `m${index}`);
  const taken = claim(books);
  assert.equal(taken.length, 20);
  const dropped = all(books).filter(message => message.status === 'dropped');
  assert.equal(dropped.length, 5);
  assert.match(dropped[0]?.message ?? '', /20 messages a day to one number/);
  const tomorrow = addSeconds(NOW, 24 * HOUR);
  queue(books, 'tomorrow', ASHA, tomorrow);
  assert.equal(claim(books, tomorrow).length, 1);
});

test('a message that was refused costs nothing and does not count', () => {
  using books = openBooks();
  for (let index = 0; index < 30; index += 1) {
    queue(books, `m${index}`);
    for (const message of claim(books)) answered(books, message, 'refused');
  }
  queue(books, 'last');
  assert.equal(claim(books).length, 1);
});

test('a day has a limit of its own, which staff can set', () => {
  using books = openBooks();
  const limits = { defaultMaxDevices: null, orderExpiryMinutes: null, smsPerNumberPerDay: 2, smsPerDay: 5 };
  books.tx.settings.set('limits', limits, NOW);
  for (let index = 0; index < 12; index += 1) {
    queue(books, `m${index}`, parsePhone(`+25571234${String(1000 + index)}`, 'TZ') as Phone);
  }
  assert.equal(claim(books).length, 5);
  assert.match(all(books).find(message => message.status === 'dropped')?.message ?? '', /5 messages a day/);
});

test('a message that waited for half a day is not worth its price', () => {
  using books = openBooks();
  queue(books, 'a');
  assert.deepEqual(claim(books, addSeconds(NOW, 13 * HOUR)), []);
  assert.equal(all(books)[0]?.status, 'dropped');
});

for (const [seconds, noticeSeconds] of [
  [24 * HOUR, 8_640],
  [HOUR, 360],
  [30 * 60, 300],
  [30 * 24 * HOUR, 259_200],
] as const) {
  test(`${seconds / HOUR} hours end with a word ${noticeSeconds / 60} minutes before`, () => {
    using books = openBooks();
    give(books, seconds, NOW, 1);
    const due = addSeconds(NOW, seconds - noticeSeconds);
    assert.deepEqual(remind(books, addSeconds(due, -1)), { due: 0 });
    assert.deepEqual(remind(books, due), { due: 1 });
    assert.deepEqual(remind(books, addSeconds(due, 1)), { due: 0 });
    assert.deepEqual(
      all(books).map(message => message.kind),
      ['access_ending'],
    );
  });
}

test('who has bought more is reminded once, of the new end', () => {
  using books = openBooks();
  give(books, HOUR, NOW, 1);
  give(books, HOUR, addSeconds(NOW, 600), 2);
  assert.deepEqual(remind(books, addSeconds(NOW, 3_300)), { due: 0 });
  assert.deepEqual(remind(books, addSeconds(NOW, 6_600)), { due: 1 });
  assert.equal(all(books).length, 1);
});

test('five minutes of time end without a word before', () => {
  using books = openBooks();
  give(books, 300, NOW, 1);
  assert.deepEqual(remind(books, addSeconds(NOW, HOUR)), { due: 0 });
});

test('words about an end that is none any more are not sent', () => {
  using books = openBooks();
  give(books, HOUR, NOW, 1);
  remind(books, addSeconds(NOW, 3_300));
  give(books, HOUR, addSeconds(NOW, 3_310), 2);
  assert.deepEqual(claim(books, addSeconds(NOW, 3_320)), []);
  assert.match(all(books)[0]?.message ?? '', /has changed since/);

  const end = addSeconds(NOW, 2 * HOUR);
  announceExpiry(books.at(end), { userIds: [1], until: end });
  assert.equal(claim(books, end).length, 1);
});

test('what was written to a person is forgotten with the person', () => {
  using books = openBooks();
  give(books, HOUR, NOW, 1);
  queue(books, 'a');
  for (const message of claim(books)) answered(books, message, 'accepted');
  queue(books, 'b');
  deleteUser(books.tx, { userId: 1 });
  assert.deepEqual(all(books), []);
  assert.deepEqual(remind(books, addSeconds(NOW, HOUR)), { due: 0 });
});

test('messages are kept for 90 days', () => {
  using books = openBooks();
  queue(books, 'old');
  queue(books, 'new', ASHA, addSeconds(NOW, 24 * HOUR));
  assert.deepEqual(prune(books.at(addSeconds(NOW, 91 * 24 * HOUR)), { what: 'sms', limit: 10 }), { pruned: 1 });
  assert.deepEqual(
    all(books).map(message => message.key),
    ['new'],
  );
});

test('nothing is written while messages are off', () => {
  using books = openBooks({ smsEnabled: false });
  queue(books, 'a');
  give(books, HOUR, NOW, 1);
  assert.deepEqual(all(books), []);
  assert.deepEqual(remind(books, addSeconds(NOW, HOUR)), { due: 0 });
});

test('what is due is found by an index, never by looking at everybody', () => {
  using books = openBooks();
  const plans = [
    'SELECT user_id FROM sms_reminders WHERE due_at <= ? ORDER BY due_at LIMIT ?',
    'SELECT id FROM sms_outbox WHERE next_attempt_at IS NOT NULL AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?',
    "SELECT count(*) FROM sms_outbox WHERE created_day = ? AND phone = ? AND status IN ('sending', 'sent', 'uncertain')",
    "UPDATE sms_outbox SET status = 'uncertain' WHERE status = 'sending'",
  ].map(sql =>
    books.db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => 'x'))
      .map(row => row.detail)
      .join('; '),
  );
  for (const plan of plans) assert.match(plan, /USING (COVERING )?INDEX sms_/, plan);
  for (const plan of plans) assert.doesNotMatch(plan, /TEMP B-TREE/, plan);
});
