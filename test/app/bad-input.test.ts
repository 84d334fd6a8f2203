/**
 * Bad input to every endpoint there is: only documented statuses, never a changed row where it was refused, and the
 * server answers the next request. New endpoints are found by themselves.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createResources } from '../../src/http/resources.ts';
import type { Route } from '../../src/http/route.ts';
import { openForReading } from '../../src/store/database.ts';
import { DATABASE_FILE } from '../../src/store/store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { dump } from '../support/rows.ts';

const DOCUMENTED = new Set([200, 201, 204, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 429, 503]);
/** What may be written whatever becomes of the request: who tried what, and that a session is in use. */
const JOURNALS = ['audit_log', 'sessions', 'webhook_logs', 'webhook_log_size'];

/** Values that get a request past its other fields. */
const GOOD: Readonly<Record<string, unknown>> = {
  phone_number: '+255712345678',
  mac_address: 'A4:83:E7:12:34:56',
  ip_address: '10.5.50.11',
  username: '255712345678',
  password: 'wrong password',
  voucher_code: '2222-2222-2222',
  bundle_id: 1,
  quantity: 1,
  expiry_days: 30,
  name: 'Day',
  price: 1_000,
  amount: 1_000,
  duration_hours: 24,
  reason: 'a reason',
};

const DEEP = JSON.parse(`${'{"a":['.repeat(500)}1${']}'.repeat(500)}`);
const BAD_VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  'x'.repeat(20_000),
  '\u0000',
  '\ud800',
  "'; DROP TABLE users; --",
  '9'.repeat(400),
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  true,
  [null],
  { toString: 'x' },
  JSON.parse('{"__proto__":{"is_active":true}}'),
  DEEP,
];
const BAD_SEGMENTS = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '99999999999999999999',
  'x',
  '__proto__',
  'constructor',
  '%00',
  '%FF',
  '%E0%A4%A',
  '%2F',
  '%20',
  '%F0%9F%92%A9',
  "'%20OR%201=1",
  'x'.repeat(4_000),
];
const BAD_QUERY_VALUES = ['', '0', '-1', '1.5', '1e3', '99999999999999999999', 'x', '%00', '%FF', '[]', 'true', "'"];
const BAD_QUERIES = [
  '?',
  '?=',
  '?&&',
  '?%FF=1',
  '?page=1&page=x',
  '?page[]=1',
  '?__proto__=1',
  `?q=${'x'.repeat(8_000)}`,
];

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const BAD_BODIES: readonly (readonly [type: string | null, body: string | Uint8Array])[] = [
  [JSON_TYPE, ''],
  [JSON_TYPE, '{'],
  [JSON_TYPE, 'null'],
  [JSON_TYPE, 'true'],
  [JSON_TYPE, '5'],
  [JSON_TYPE, '"text"'],
  [JSON_TYPE, '[]'],
  [JSON_TYPE, '[{"phone_number":"+255712345678"}]'],
  [JSON_TYPE, '{"__proto__":{"phone_number":"+255712345678"}}'],
  [JSON_TYPE, '{"constructor":{"prototype":{"phone_number":1}}}'],
  [JSON_TYPE, '{"phone_number":"+255712345678","phone_number":5}'],
  [JSON_TYPE, '\ufeff{}'],
  [JSON_TYPE, "{'phone_number':1}"],
  [JSON_TYPE, `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  [JSON_TYPE, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  [JSON_TYPE, `{${Array.from({ length: 5_000 }, (_, index) => `"f${index}":1`).join()}}`],
  [JSON_TYPE, JSON.stringify({ phone_number: 'x'.repeat(70_000) })],
  [JSON_TYPE, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  [JSON_TYPE, Buffer.from('{"phone_number":"\u00e9"}', 'latin1')],
  [JSON_TYPE, Buffer.from('{}', 'utf16le')],
  [`${JSON_TYPE}; charset=utf-16`, '{}'],
  [`${JSON_TYPE}; charset=latin1`, '{}'],
  [FORM_TYPE, 'username=255712345678&username=x&mac=y&mac=A4:83:E7:12:34:56'],
  [FORM_TYPE, 'username=%FF%FE'],
  [FORM_TYPE, 'username=%ZZ&=&&===&__proto__=1'],
  [FORM_TYPE, Buffer.from([0x75, 0x3d, 0xff])],
  [FORM_TYPE, 'a=1&'.repeat(10_000)],
  [FORM_TYPE, `username=${'x'.repeat(70_000)}`],
  ['text/xml', '<a/>'],
  ['text/plain', 'hello'],
  ['multipart/form-data; boundary=x', '--x--'],
  ['nonsense', '{}'],
  [null, Buffer.from('{}')],
];

interface Attempt {
  route: Route;
  path: string;
  type?: string | null;
  body?: string | Uint8Array;
  credentials?: Record<string, string>;
}

/** An appliance and a watch on its database: tells of each attempt whether it was answered as it should be. */
async function watched(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  await app.issueVouchers({ quantity: 2 });
  const [code] = await app.issueVouchers();
  await app.redeem(code!, '+255712345678', 'A4:83:E7:12:34:56');
  const db = openForReading(join(app.dataDir, DATABASE_FILE));
  t.after(() => db.close());
  const version = () => db.pragma('data_version', { simple: true });
  let seen = version();
  let books = dump(app, JOURNALS);
  let address = 0;

  /** Refused: nothing may have changed. */
  function checkBooks(refused: boolean, what: string): void {
    if (seen === version()) return;
    const now = dump(app, JOURNALS);
    if (refused) assert.deepEqual(now, books, `${what} was refused and changed something`);
    seen = version();
    books = now;
  }

  async function attempt({ route, path, type, body, credentials = app.admin }: Attempt): Promise<number> {
    // Limits are tried elsewhere: each attempt comes from another address, and long after the one before.
    app.clock.advance(601_000);
    address += 1;
    const forwarded = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
    const headers = { 'x-forwarded-for': forwarded, ...credentials, ...(type ? { 'content-type': type } : {}) };
    const what = `${route.method} ${path.slice(0, 200)} ${type ?? ''} ${String(body ?? '').slice(0, 300)}`;
    const ask = () =>
      fetch(app.url + path, {
        method: route.method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(20_000),
        ...(body === undefined ? {} : { body: body as string }),
      });
    // A kept connection may end just as a request goes out on it; a server that cannot take the request fails twice.
    const response = await ask()
      .catch(ask)
      .catch((error: unknown) => assert.fail(`${what}: ${String(error)} ${String((error as Error).cause)}`));
    const { status } = response;
    const isEndless = response.headers.get('content-type') === 'text/event-stream';
    const text = isEndless ? '' : await response.text();
    if (isEndless) await response.body?.cancel();
    assert.ok(DOCUMENTED.has(status), `${status} to ${what}: ${text.slice(0, 500)}`);
    if (status >= 400) {
      assert.doesNotMatch(text, /SQLITE|\.ts:\d|node:internal|TypeError|RangeError/, what);
      if (response.headers.get('content-type')?.includes('json')) {
        const answer = JSON.parse(text) as Record<string, unknown>;
        assert.ok(answer['error'] ?? answer['message'] ?? answer['detail'], `${what} is refused without a word`);
      } else {
        assert.match(response.headers.get('content-type') ?? '', /^text\/plain/, what);
        assert.ok(text.length > 0, what);
      }
    }
    checkBooks(status >= 400, what);
    return status;
  }

  return { app, attempt, routes: createResources(app.context).routes };
}

/** Names of the fields that a schema reads, through whatever it is piped. */
function fieldNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { entries, pipe } = schema as { entries?: object; pipe?: unknown[] };
  return [...Object.keys(entries ?? {}), ...(pipe ?? []).filter(part => part !== schema).flatMap(fieldNames)];
}

const namesOf = (schema: unknown) => [...new Set(fieldNames(schema))];
const goodBody = (names: readonly string[]) =>
  Object.fromEntries(names.filter(name => name in GOOD).map(name => [name, GOOD[name]]));
const goodPath = ({ path }: Route, segment = '1') =>
  `/api${path.replace(':phone_number', '+255712345678').replaceAll(/:[a-z_]+/g, segment)}`;
const takesBody = ({ method }: Route) => method === 'POST' || method === 'PUT';

async function stillAnswers(app: TestApp): Promise<void> {
  assert.equal((await app.get('/api/health/')).status, 200);
  assert.equal((await app.get('/api/bundles/')).status, 200);
}

test('every field of every endpoint: missing, of a wrong type, empty, huge, nested, out of range', async t => {
  const { app, attempt, routes } = await watched(t);
  assert.ok(routes.length >= 20, 'the endpoints are found');
  for (const route of routes.filter(takesBody)) {
    const names = namesOf(route.body);
    const aliases = route.plain ? ['username', 'mac', 'ip'] : [];
    for (const name of [...names, ...aliases]) {
      for (const value of BAD_VALUES) {
        const { [name]: _, ...others } = goodBody(names);
        const body = JSON.stringify(value === undefined ? others : { ...others, [name]: value });
        await attempt({ route, path: goodPath(route), type: JSON_TYPE, body });
      }
    }
  }
  await stillAnswers(app);
});

test('every endpoint with a body: bodies that are none, of another type, too large, not UTF-8, nested, doubled', async t => {
  const { app, attempt, routes } = await watched(t);
  for (const route of routes.filter(takesBody)) {
    for (const [type, body] of BAD_BODIES) await attempt({ route, path: goodPath(route), type, body });
  }
  await stillAnswers(app);
});

test('a body of fields that is larger than 64 KiB is 413, of another type 415, no object 400', async t => {
  const { attempt, routes } = await watched(t);
  for (const route of routes.filter(each => takesBody(each) && namesOf(each.body).length > 0)) {
    const path = goodPath(route);
    const limit = route.bodyLimit ?? 65_536;
    const large = JSON.stringify({ padding: 'x'.repeat(limit) });
    assert.equal(await attempt({ route, path, type: JSON_TYPE, body: large }), 413, path);
    assert.equal(await attempt({ route, path, type: 'text/xml', body: '<a/>' }), 415, path);
    for (const body of ['{', 'null', '[]', '"x"']) {
      assert.equal(await attempt({ route, path, type: JSON_TYPE, body }), 400, `${path} ${body}`);
    }
  }
});

test('every path with a parameter: segments that are no number, no phone, no text', async t => {
  const { app, attempt, routes } = await watched(t);
  for (const route of routes.filter(({ path }) => path.includes(':'))) {
    const names = namesOf(route.body);
    for (const segment of BAD_SEGMENTS) {
      const path = `/api${route.path.replaceAll(/:[a-z_]+/g, segment)}`;
      const body = takesBody(route) ? { type: JSON_TYPE, body: JSON.stringify(goodBody(names)) } : {};
      await attempt({ route, path, ...body });
    }
  }
  await stillAnswers(app);
});

test('every query: parameters of a wrong kind, doubled, not UTF-8, too long', async t => {
  const { app, attempt, routes } = await watched(t);
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const path = goodPath(route);
    for (const query of BAD_QUERIES) await attempt({ route, path: path + query });
    for (const name of namesOf(route.query)) {
      for (const value of BAD_QUERY_VALUES) await attempt({ route, path: `${path}?${name}=${value}` });
    }
  }
  await stillAnswers(app);
});

test('every admin endpoint refuses whoever has no valid credentials with 403, before anything of the request is read', async t => {
  const { attempt, routes } = await watched(t);
  for (const route of routes.filter(({ auth }) => auth !== 'none')) {
    const body = takesBody(route) ? { type: JSON_TYPE, body: '{' } : {};
    for (const credentials of [{}, { authorization: 'Bearer wrong' }, { 'x-admin-access': 'wrong' }]) {
      assert.equal(await attempt({ route, path: goodPath(route), credentials, ...body }), 403, route.path);
    }
  }
});

test('whatever JSON comes to whatever endpoint, the answer is a documented one and refusals change nothing', async t => {
  const { app, attempt, routes } = await watched(t);
  const request = fc.constantFrom(...routes.filter(takesBody)).chain(route => {
    const names = [...namesOf(route.body), 'username', 'mac', 'ip', '__proto__'];
    const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.string() });
    const value = fc.oneof(
      fc.constantFrom(...Object.values(GOOD)),
      fc.constantFrom(...BAD_VALUES.filter(each => each !== undefined)),
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
    );
    return fc.record({ route: fc.constant(route), fields: fc.array(fc.tuple(name, value), { maxLength: 8 }) });
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ route, fields }) => {
      const written = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
      await attempt({ route, path: goodPath(route), type: JSON_TYPE, body: `{${written.join()}}` });
    }),
    { numRuns: 400 },
  );
  await stillAnswers(app);
});

test("whatever text comes as a form, the router's endpoints answer it, and the next request", async t => {
  const { app, attempt, routes } = await watched(t);
  const ofRouter = routes.filter(route => route.method === 'POST' && route.accepts === 'json-or-form');
  assert.equal(ofRouter.length, 3);
  const piece = fc.oneof(
    fc.constantFrom(
      'username=',
      'mac=',
      'ip=',
      'phone_number=',
      '&',
      '=',
      '+',
      '%',
      '%FF',
      '%00',
      '255712345678',
      'A4:83:E7:12:34:56',
    ),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ofRouter), fc.array(piece, { maxLength: 12 }), async (route, pieces) => {
      await attempt({ route, path: goodPath(route), type: FORM_TYPE, body: pieces.join('') });
    }),
    { numRuns: 200 },
  );
  await stillAnswers(app);
});
