import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';

import * as f from '../../src/contract/fields.ts';
import { LangoError } from '../../src/domain/errors.ts';
import { parsersAt } from '../../src/http/parsers.ts';
import { validate } from '../../src/http/validation.ts';
import { OPEN, PARSERS, postJson, serve } from './support.ts';

type Fields = Record<string, unknown>;

/** What a request of these fields becomes. */
const readAll = (schema: v.GenericSchema, fields: Fields, parsers: f.Parsers = PARSERS) =>
  validate([[f.withParsers(schema, parsers), fields]])[0] as Fields;

const read = <S extends v.GenericSchema>(schema: S, value: unknown, parsers?: f.Parsers) =>
  readAll(v.object({ it: schema }), { it: value }, parsers)['it'] as v.InferOutput<S>;

function problem(schema: v.GenericSchema, value: unknown, parsers?: f.Parsers): string {
  try {
    const output = read(schema, value, parsers);
    assert.fail(`${JSON.stringify(value)} was taken for ${JSON.stringify(output)}`);
  } catch (error) {
    assert.ok(error instanceof LangoError && error.code === 'VALIDATION', String(error));
    assert.deepEqual(Object.keys(error.details ?? {}), ['it']);
    assert.equal(error.details?.['it']?.length, 1);
    return error.details?.['it']?.[0] ?? '';
  }
}

const KENYA = parsersAt({ country: 'KE', currency: 'KES', timeZone: 'Africa/Nairobi' });
const UGANDA = parsersAt({ country: 'UG', currency: 'UGX', timeZone: 'Africa/Kampala' });

const WRONG_TYPES = [null, [], {}, [1], () => 1];

test('every field refuses wrong types, null and lists, each with one message that says what to give', () => {
  const schemas: Record<string, v.GenericSchema> = {
    phone: f.phone,
    mac: f.mac,
    ip: f.ip,
    text: f.text(10),
    secret: f.secret(10),
    enumOf: f.enumOf(['a', 'b']),
    wholeNumber: f.wholeNumber({ min: 1, max: 5 }),
    decimal: f.decimal({ min: 0.01, max: 5 }),
    boolean: f.boolean,
    booleanText: f.booleanText,
    id: f.id,
    idText: f.idText,
    amount: f.amount,
  };
  for (const [name, schema] of Object.entries(schemas)) {
    for (const value of [...WRONG_TYPES, 'nonsense\u0000nonsense', Number.NaN]) {
      assert.match(problem(schema, value), /^Give .*\.$/, `${name} ${JSON.stringify(value)}`);
    }
  }
});

test('phones, addresses and dates come out in their canonical forms', () => {
  assert.equal(read(f.phone, '0712 345 678'), '+255712345678');
  assert.equal(read(f.phone, '0712 345 678', KENYA), '+254712345678');
  assert.equal(read(f.mac, 'a4-83-e7-12-34-56'), 'A4:83:E7:12:34:56');
  assert.equal(read(f.ip, '::ffff:10.0.0.7'), '10.0.0.7');
  for (const bad of ['FF:FF:FF:FF:FF:FF', '00:00:00:00:00:00', '01:00:5E:00:00:01', 'A4:83:E7:12:34']) {
    problem(f.mac, bad);
  }
  for (const bad of ['10.0.0.256', '10.0.0', 'localhost', '1', '']) problem(f.ip, bad);
});

test('a phone number is read the same the first and the thousandth time, however many others came between', () => {
  const schema = f.phone;
  for (let i = 0; i < 5_000; i += 1) assert.equal(read(schema, `0712${100_000 + i}`), `+255712${100_000 + i}`);
  for (let again = 0; again < 3; again += 1) {
    assert.equal(read(schema, '0712345678'), '+255712345678');
    assert.match(problem(schema, '071234567'), /^Give a mobile number/);
  }
});

test('text is trimmed, bounded, on one line and well formed', () => {
  assert.equal(read(f.text(5), '  abc  '), 'abc');
  assert.equal(read(f.text(5), 'éé€'), 'éé€');
  for (const bad of ['', '   ', 'abcdef', 'a\nb', 'a\u0000', 'a\u0085b', 'a\ud800']) problem(f.text(5), bad);
  assert.equal(read(f.secret(5), ' a '), ' a ');
  for (const bad of ['', 'abcdef', '\ud800']) problem(f.secret(5), bad);
});

test('numbers keep their bounds and come as JSON numbers or as their text', () => {
  const quantity = f.wholeNumber({ min: 1, max: 10_000 });
  assert.equal(read(quantity, 1), 1);
  assert.equal(read(quantity, 10_000), 10_000);
  for (const [text, number] of [
    ['5', 5],
    [' 7 ', 7],
    ['+8', 8],
    ['9.0', 9],
    ['1e3', 1_000],
  ] as const) {
    assert.equal(read(quantity, text), number);
  }
  for (const bad of [0, 10_001, 1.5, true, Number.POSITIVE_INFINITY, -1]) problem(quantity, bad);
  for (const bad of ['0', '10001', '1.5', '', ' ', 'five', '5 days', '0x5', '1,000', '5\u0000', 'Infinity', 'NaN']) {
    problem(quantity, bad);
  }
  assert.equal(read(f.decimal({ min: 0.01, max: 8_760 }), 0.5), 0.5);
  assert.equal(read(f.decimal({ min: 0.01, max: 8_760 }), '.5'), 0.5);
  assert.equal(read(f.hours, '0.5'), 1_800);
  for (const bad of [0, 8_760.5, '0', '8760.5']) problem(f.decimal({ min: 0.01, max: 8_760 }), bad);
  assert.equal(read(f.id, 7), 7);
  assert.equal(read(f.id, '7'), 7);
  for (const bad of [0, -1, 1.5, '-7', '1.5', '9007199254740993', 2 ** 53]) problem(f.id, bad);
  assert.equal(read(f.idText, '7'), 7);
  for (const bad of ['0', '-1', '1.5', 'abc', '', '9007199254740993', '1e3', 7, ' 7', '0x7']) problem(f.idText, bad);
});

test('booleans are JSON booleans, or true, false, 1, 0 in text', () => {
  assert.equal(read(f.boolean, false), false);
  for (const truth of ['true', 'True', '1', 1]) assert.equal(read(f.boolean, truth), true);
  for (const untruth of ['false', 'FALSE', '0', 0]) assert.equal(read(f.boolean, untruth), false);
  for (const bad of ['yes', '', 2, -1]) problem(f.boolean, bad);
  for (const [value, truth] of [
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const) {
    assert.equal(read(f.booleanText, value), truth);
  }
  for (const bad of ['yes', '', '2', true]) problem(f.booleanText, bad);
});

test('an amount is a number or a decimal string that the currency can express', () => {
  assert.deepEqual(read(f.amount, 1_000), { minor: 100_000, currency: 'TZS' });
  assert.deepEqual(read(f.amount, '1000.50'), { minor: 100_050, currency: 'TZS' });
  assert.deepEqual(read(f.amount, 0, UGANDA), { minor: 0, currency: 'UGX' });
  for (const bad of [-1, '-0.01', '1.001', '1e3', 1e300, 'abc', '', true]) problem(f.amount, bad);
  problem(f.amount, 0.5, UGANDA);
  assert.match(problem(f.amount, -1), /TZS.*1000\.00/);
});

test('pages default, page_size above 100 is cut, and what is no number is refused', () => {
  const page = (query: Fields) => readAll(v.object(f.pages), query);
  assert.deepEqual(page({}), { page: 1, page_size: 20 });
  assert.deepEqual(page({ page: '3', page_size: '100' }), { page: 3, page_size: 100 });
  assert.deepEqual(page({ page_size: '101' }), { page: 1, page_size: 100 });
  assert.deepEqual(page({ page_size: '9'.repeat(400) }), { page: 1, page_size: 100 });
  for (const bad of ['0', '-1', 'abc', '', '1.5', '1e1', ' 1', '٣']) {
    assert.throws(() => page({ page: bad }), { code: 'VALIDATION' }, `page ${bad}`);
    assert.throws(() => page({ page_size: bad }), { code: 'VALIDATION' }, `page_size ${bad}`);
  }
});

test('a field that may be left away may also be null or empty, but not wrong', () => {
  const schema = f.optional(f.mac);
  for (const absent of [undefined, null, '']) assert.equal(read(schema, absent), undefined);
  assert.equal(read(schema, 'A483E7123456'), 'A4:83:E7:12:34:56');
  assert.match(problem(schema, 'x'), /MAC/);
  assert.match(problem(schema, 7), /MAC/);
  assert.deepEqual(readAll(v.object({ mac_address: schema }), {}), {});
});

test('a field known under two names is taken under either, and its problem told under the one that was sent', () => {
  const Auth = f.aliased(
    { username: 'phone_number', mac: 'mac_address' },
    v.object({ phone_number: f.phone, mac_address: f.optional(f.mac) }),
  );
  const auth = (fields: Fields) => readAll(Auth, fields);
  assert.equal(auth({ username: '0712345678' })['phone_number'], '+255712345678');
  assert.equal(auth({ phone_number: '0712345678', username: '0699999999' })['phone_number'], '+255712345678');
  assert.equal(auth({ phone_number: '', username: '0712345678' })['phone_number'], '+255712345678');
  assert.equal(auth({ username: '0712345678', mac: 'a483e7123456' })['mac_address'], 'A4:83:E7:12:34:56');
  const polluted = JSON.parse('{"__proto__":{"username":"0712345678"},"mac":"x"}');
  assert.throws(
    () => auth(polluted),
    (error: LangoError) => {
      assert.deepEqual(Object.keys(error.details ?? {}), ['username', 'mac']);
      assert.deepEqual(error.details?.['username'], ['This field is required.']);
      return true;
    },
  );
  for (const [sent, ...told] of [
    [{ phone_number: 'x', mac_address: 'x' }, 'phone_number', 'mac_address'],
    [{ username: 'x', mac: 'x' }, 'username', 'mac'],
    [{ username: 'x', mac_address: 'x' }, 'username', 'mac_address'],
    [{ phone_number: 'x', username: '0712345678' }, 'phone_number'],
    [{ username: '' }, 'username'],
    [{}, 'phone_number'],
  ] as const) {
    assert.throws(
      () => auth({ ...sent }),
      (error: LangoError) => {
        assert.deepEqual(Object.keys(error.details ?? {}), told, JSON.stringify(sent));
        return true;
      },
    );
  }
});

// ------------------------------------------------------------------------------------------ filters of lists

const List = v.object({
  status: f.enumFilter(['pending', 'completed']),
  is_active: f.filter(f.booleanText),
  bundle_id: f.filter(f.idText),
  date_from: f.filter(f.day),
});

const filtered = (query: Fields) => readAll(List, query);

test('an empty value and the word all filter nothing', () => {
  for (const nothing of ['', ' ', 'all', 'ALL', ' All ']) {
    const query = Object.fromEntries(['status', 'is_active', 'bundle_id', 'date_from'].map(name => [name, nothing]));
    assert.deepEqual(
      Object.values(filtered(query)).filter(value => value !== undefined),
      [],
      JSON.stringify(nothing),
    );
  }
  assert.deepEqual(filtered({}), {});
});

test('words filter in any case, and what is no such word is refused', () => {
  for (const word of ['completed', 'COMPLETED', 'Completed', ' completed ']) {
    assert.equal(filtered({ status: word })['status'], 'completed');
  }
  assert.throws(() => filtered({ status: 'done' }), {
    code: 'VALIDATION',
    details: { status: ['Give one of: pending, completed.'] },
  });
  assert.throws(() => filtered({ bundle_id: 'any' }), { code: 'VALIDATION' });
});

test('a day may come as a date, or as a date and time of which the local day counts', () => {
  for (const [given, day] of [
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T23:30:00', '2026-11-21'],
    ['2026-11-21 23:30', '2026-11-21'],
    ['2026-11-21T20:59:59Z', '2026-11-21'],
    ['2026-11-21T21:00:00.000Z', '2026-11-22'],
    ['2026-11-21T23:30:00+03:00', '2026-11-21'],
    // A plus that was not escaped.
    ['2026-11-21T23:30:00 03:00', '2026-11-21'],
    ['2026-11-21T23:30:00-0500', '2026-11-22'],
  ] as const) {
    assert.equal(filtered({ date_from: given })['date_from'], day, given);
  }
  for (const bad of [
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-1-1',
    '20261121',
    '2026-11-21T25:00:00Z',
    '2026-11-21T10:00:00+99:00',
    '2026-11-21T10',
    'yesterday',
    '2026-11-21T10:00:00Zulu',
  ]) {
    assert.throws(() => filtered({ date_from: bad }), { code: 'VALIDATION' }, bad);
  }
});

// -------------------------------------------------------------------------------------------- over HTTP

test('the problems of path, query and body are told together, and nothing of the handler runs', async t => {
  let ran = 0;
  const contract = {
    ...OPEN,
    method: 'PUT',
    path: '/users/:user_id/update/',
    params: v.object({ user_id: f.idText }),
    query: v.object({ page: f.pageText }),
    body: v.object({ max_devices: f.wholeNumber({ min: 1, max: 100 }), is_active: f.optional(f.boolean) }),
  } as const;
  const { url } = await serve(t, api =>
    api.handle(contract, ({ params, query, body }) => {
      ran += 1;
      return { ...params, ...query, ...body };
    }),
  );
  const put = (path: string, body: unknown) =>
    fetch(url + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const refused = await put('/api/users/zero/update/?page=x', { is_active: 'maybe' });
  assert.equal(refused.status, 400);
  assert.deepEqual(await refused.json(), {
    error: 'Some fields need attention.',
    message: 'Some fields need attention.',
    details: {
      user_id: ['Give the id, a positive whole number.'],
      page: ['Give the page, a whole number from 1.'],
      max_devices: ['This field is required.'],
      is_active: ['Give true or false.'],
    },
  });
  assert.equal(ran, 0);
  const done = await put('/api/users/5/update/?page=2&unknown=1', { max_devices: 3, unknown: [] });
  assert.deepEqual(await done.json(), { user_id: 5, page: 2, max_devices: 3 });
});

test('a query with a broken escape is refused under details.query', async t => {
  const contract = { ...OPEN, method: 'GET', path: '/users/', query: v.object({ page: f.pageText }) } as const;
  const { url } = await serve(t, api => api.handle(contract, ({ query }) => query));
  for (const [query, field] of [
    ['?page=%ff', 'query'],
    ['?page=%', 'query'],
    ['?page=a', 'page'],
  ] as const) {
    const reply = await fetch(`${url}/api/users/${query}`);
    assert.equal(reply.status, 400);
    assert.deepEqual(Object.keys(((await reply.json()) as { details: object }).details), [field]);
  }
  assert.equal((await postJson(`${url}/api/users/`, {})).status, 405);
});
