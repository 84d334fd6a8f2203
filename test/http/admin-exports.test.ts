import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvLine } from '../../src/http/csv.ts';
import { startApp } from '../support/app.ts';
import { asha, juma, paidOrder, personWithTime } from './admin-support.ts';

function records(csv: string): Record<string, string>[] {
  const [head, ...lines] = csv.trimEnd().split('\r\n');
  const columns = head!.split(',');
  return lines.map(line => {
    const cells = line.split(',');
    assert.equal(cells.length, columns.length, line);
    return Object.fromEntries(columns.map((column, index) => [column, cells[index]!]));
  });
}

test('payments are exported as a file, newest first, by the filters of the list', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const first = await paidOrder(app, asha, bundle);
  const sale = { phone_number: juma, bundle_id: bundle.id, receipt_number: '=1+1' };
  await app.post('/api/admin/sales/', sale, app.admin);
  await app.post(`/api/admin/payments/${first.id}/refund/`, { reason: 'x', amount: 100 }, app.admin);
  const { status, headers, body } = await app.get('/api/admin/export/payments/', app.admin);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(headers.get('content-disposition'), 'attachment; filename="payments-2026-11-21.csv"');
  assert.equal(headers.get('cache-control'), 'no-store');
  const [second, oldest, ...more] = records(body);
  assert.deepEqual(more, []);
  assert.equal(second?.['receipt_number'], "'=1+1", 'a spreadsheet must not run what somebody typed');
  assert.equal(second?.['phone_number'], juma);
  assert.deepEqual(
    [oldest?.['id'], oldest?.['amount'], oldest?.['refunded_amount'], oldest?.['order_reference'], oldest?.['status']],
    [String(first.id), '1000.00', '100.00', first.orderReference, 'completed'],
  );
  const filtered = async (query: string) =>
    records((await app.get(`/api/admin/export/payments/?${query}`, app.admin)).body).map(record => record['id']);
  for (const query of ['method=cash', 'phone_number=754', 'search=0754', `search=${encodeURIComponent('=1+1')}`]) {
    assert.deepEqual(await filtered(query), ['2'], query);
  }
  assert.deepEqual(await filtered('date_to=2026-11-20'), []);
  assert.equal((await app.get('/api/admin/export/payments/?status=x', app.admin)).status, 400);
});

test('users and vouchers are exported with what has become of them', async t => {
  const app = await startApp(t);
  const ashaId = await personWithTime(app, asha, 24);
  const codes = await app.issueVouchers({ quantity: 3 });
  await app.redeem(codes[0]!, juma, 'A4:83:E7:12:34:56');
  const [voucher] = (await app.get(`/api/vouchers/list/?code=${codes[1]}`, app.admin)).body;
  await app.post(`/api/admin/vouchers/${voucher.id}/revoke/`, {}, app.admin);

  const users = records((await app.get('/api/admin/export/users/', app.admin)).body);
  assert.deepEqual(
    users.map(user => [user['phone_number'], user['device_count'], user['has_active_access']]),
    [
      [juma, '1', 'true'],
      [asha, '0', 'true'],
    ],
  );
  const blocked = records((await app.get('/api/admin/export/users/?status=blocked', app.admin)).body);
  assert.deepEqual(blocked, []);
  const one = records((await app.get('/api/admin/export/users/?search=0712', app.admin)).body);
  assert.deepEqual(
    one.map(user => user['id']),
    [String(ashaId)],
  );

  const vouchers = records((await app.get('/api/admin/export/vouchers/?batch_id=2', app.admin)).body);
  const states = new Map(vouchers.map(each => [each['code'], each['state']]));
  assert.deepEqual(
    codes.map(code => states.get(code)),
    ['used', 'revoked', 'unused'],
  );
  assert.equal(vouchers.find(each => each['code'] === codes[0])?.['used_by'], juma);
});

test('an export is asked for by HEAD without being made, and one that is broken off leaves the server well', async t => {
  const app = await startApp(t);
  for (let n = 0; n < 3; n += 1) await app.issueVouchers({ quantity: 10_000 });
  const head = await fetch(`${app.url}/api/admin/export/vouchers/`, { method: 'HEAD', headers: app.admin });
  assert.deepEqual([head.status, await head.text()], [200, '']);
  const control = new AbortController();
  const broken = await fetch(`${app.url}/api/admin/export/vouchers/`, { headers: app.admin, signal: control.signal });
  const reader = broken.body!.getReader();
  await reader.read();
  control.abort();
  await assert.rejects(reader.read());
  const whole = await app.get('/api/admin/export/vouchers/', app.admin);
  assert.equal(records(whole.body).length, 30_000);
  assert.deepEqual(
    app.logged.filter(line => line.includes('reply.cut_off')),
    [],
  );
});

test('a cell is quoted where it must be, and never a formula', () => {
  assert.equal(csvLine([1, true, null, 'plain']), '1,true,,plain\r\n');
  assert.equal(csvLine(['a,b', 'say "hi"', 'two\nlines']), '"a,b","say ""hi""","two\nlines"\r\n');
  for (const start of ['=', '+', '-', '@', '\t', '\r']) assert.match(csvLine([`${start}cmd|'/c calc'!A0`]), /^"?'/);
  assert.equal(csvLine([-5]), '-5\r\n', 'a number is a number');
});

test('a phone number and an amount stay what they are', () => {
  assert.equal(csvLine(['+255712345678', '-99.50', '1000']), '+255712345678,-99.50,1000\r\n');
});

/** A cell as a spreadsheet of some country sees it: whatever stands between its separators, without what it trims. */
const seenAs = (separator: RegExp, cell: string) =>
  cell.split(separator).map(part => part.replace(/^[\s"\p{Cf}]+/u, ''));

test('no part of a cell begins a formula, wherever a spreadsheet ends its cells', () => {
  const tricky = fc.constantFrom(
    '=',
    '+',
    '-',
    '@',
    '＝',
    '＋',
    '－',
    '＠',
    ';',
    ',',
    '\t',
    '\r',
    '\n',
    '|',
    '"',
    ' ',
    "'",
    '\u200b',
    '1',
    'a',
  );
  const cells = fc.oneof(fc.string({ unit: tricky, maxLength: 12 }), fc.string());
  fc.assert(
    fc.property(cells, cell => {
      const line = csvLine([cell]).slice(0, -2);
      for (const separator of [/[;]/, /[,]/, /\t/, /[|]/, /[\r\n]/]) {
        for (const part of seenAs(separator, line)) {
          assert.ok(
            !/^[=+\-@＝＋－＠]/.test(part) || /^[+-]?\d+(\.\d+)?"?$/.test(part),
            JSON.stringify({ cell, line, part }),
          );
        }
      }
      const told = line.startsWith('"') ? line.slice(1, -1).replaceAll('""', '"') : line;
      assert.equal(told.replaceAll("'", ''), cell.replaceAll("'", ''), 'nothing but apostrophes is added');
    }),
    { numRuns: 5_000 },
  );
});
