/** node:http, and for each request a row that is on the disk before the answer: nothing grouped, nothing on a thread. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';

const db = openForWriting(join(process.argv[2] ?? '.', 'lango.db'));
migrate(db);
const known = db.prepare('SELECT 1 FROM webhook_logs WHERE provider = ? AND event_key = ?');
const order = db.prepare('SELECT id FROM payments WHERE order_reference = ?');
const insert = db.prepare(
  `INSERT INTO webhook_logs (provider, event_key, authenticity, outcome, order_reference, payment_status, webhook_data, processed_at)
   VALUES ('raw', ?, 'signed', 'accepted', ?, 'COMPLETED', ?, ?)`,
);
const record = db.transaction((body: string) => {
  const { event_id: event, order_reference: reference } = JSON.parse(body) as Record<string, string>;
  known.get('raw', event);
  order.get(reference);
  insert.run(event, reference, body, new Date().toISOString());
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    record(Buffer.concat(chunks).toString());
    response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', '2']);
    response.end('{}');
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`));
