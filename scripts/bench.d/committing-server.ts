/**
 * What a careful program does that has no writer thread: node:http, and for each request the same command as the
 * appliance runs, in a transaction of its own that is on the disk before the answer. Nothing is grouped, limited or
 * checked that the command does not check itself.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commands } from '../../src/domain/commands.ts';
import type { Phone } from '../../src/domain/phone.ts';
import type { Instant } from '../../src/domain/time.ts';
import type { Policy } from '../../src/domain/transaction.ts';
import { openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { transactionOf } from '../../src/store/repositories.ts';

const POLICY: Policy = {
  currency: 'TZS',
  timeZone: 'UTC',
  language: 'en',
  defaultMaxDevices: 2,
  orderExpirySeconds: 1_800,
  paymentProvider: 'sandbox',
  smsEnabled: false,
};

const db = openForWriting(join(process.argv[2] ?? '.', 'lango.db'));
migrate(db);
const tx = transactionOf(db, POLICY);

const record = db.transaction((rawBody: string) => {
  const told = JSON.parse(rawBody) as Record<string, string>;
  const notice = {
    authenticity: 'signed' as const,
    eventKey: told['event_id'] ?? '',
    orderReference: told['order_reference'] ?? null,
    paymentReference: told['payment_reference'] ?? null,
    claimedState: told['payment_status'] ?? '',
    reply: null,
    amount: null,
    phone: null,
  };
  return commands.recordNotice(tx, { notice, rawBody, ip: null, now: now() });
});
const redeem = db.transaction((rawBody: string) => {
  const asked = JSON.parse(rawBody) as Record<string, string>;
  const phone = asked['phone_number'] as Phone;
  const code = asked['voucher_code'] ?? '';
  return commands.redeemVoucher(tx, { phone, code, device: null, onlineMacs: [], now: now() });
});

const now = () => new Date().toISOString() as Instant;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const act = request.url === '/api/vouchers/redeem/' ? redeem : record;
    const answer = JSON.stringify(act.immediate(Buffer.concat(chunks).toString()));
    response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(answer))]);
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`));
