/**
 * What a careful program does that has no writer thread: node:http, and for each request the same command as the
 * appliance runs, in a transaction of its own that is on the disk before the answer. A notification's signature is
 * checked, since nobody may leave that out; nothing is grouped, limited, routed or otherwise checked.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commands } from '../../src/domain/commands.ts';
import type { Phone } from '../../src/domain/phone.ts';
import { systemClock } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { createSandboxProvider } from '../../src/payment/sandbox.ts';
import { openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { transactionOf } from '../../src/store/repositories.ts';
import { POLICY } from '../../test/support/books.ts';

const db = openForWriting(join(process.argv[2] ?? '.', 'lango.db'));
migrate(db);
const tx = transactionOf(db, { ...POLICY, defaultMaxDevices: 2, smsEnabled: false });

const webhookSecret = process.env['LANGO_PAYMENT_WEBHOOK_SECRET'] ?? '';
const provider = createSandboxProvider(
  { apiUrl: 'http://127.0.0.1:9', apiKey: 'never used', webhookSecret },
  { log: createLog('error'), clock: systemClock },
);

const record = db.transaction((rawBody: Buffer, headers: IncomingHttpHeaders) => {
  const notice = provider.parseWebhook({ rawBody, headers, query: new URLSearchParams(), now: systemClock.now() });
  return commands.recordNotice(tx, { notice, rawBody: rawBody.toString(), ip: null, now: systemClock.now() });
});
const redeem = db.transaction((rawBody: Buffer) => {
  const asked = JSON.parse(rawBody.toString()) as Record<string, string>;
  const phone = asked['phone_number'] as Phone;
  const code = asked['voucher_code'] ?? '';
  return commands.redeemVoucher(tx, { phone, code, device: null, onlineMacs: [], now: systemClock.now() });
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const done =
      request.url === '/api/vouchers/redeem/' ? redeem.immediate(body) : record.immediate(body, request.headers);
    const answer = JSON.stringify(done);
    response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(answer))]);
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`));
