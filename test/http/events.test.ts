import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { hire } from '../support/staff.ts';

interface Listener {
  status: number;
  type: string | null;
  /** What was said so far. */
  said: { active_users: number; pending_payments: number; router: string; problems: string[] }[];
  /** True once the server has ended the stream. */
  isOver: boolean;
  leave(): void;
}

async function listen(t: TestContext, app: TestApp, headers: Record<string, string>): Promise<Listener> {
  const leaving = new AbortController();
  t.after(() => leaving.abort());
  const response = await fetch(`${app.url}/api/admin/events/`, { headers, signal: leaving.signal });
  const listener: Listener = {
    status: response.status,
    type: response.headers.get('content-type'),
    said: [],
    isOver: false,
    leave: () => leaving.abort(),
  };
  const read = async () => {
    let text = '';
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const event of whole) listener.said.push(JSON.parse(event.replace(/^data: /, '')));
    }
    listener.isOver = true;
  };
  void read().catch(() => undefined);
  return listener;
}

test('numbers come at once, after a change, and again when nothing has changed', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const bundle = await app.createBundle({ price: 1_000 });
  const listener = await listen(t, app, staff.headers);
  assert.equal(listener.status, 200);
  assert.equal(listener.type, 'text/event-stream');
  await until(() => listener.said.length === 1);
  assert.deepEqual(listener.said[0], {
    active_users: 0,
    online: 0,
    pending_payments: 0,
    payments_today: 0,
    revenue_today: '0.00',
    refunds_today: '0.00',
    router: 'not_configured',
    problems: [],
  });
  await app.post('/api/initiate-payment/', { phone_number: '+255712345678', bundle_id: bundle.id });
  await until(() => listener.said.at(-1)?.pending_payments === 1);
  const count = listener.said.length;
  await until(() => listener.said.length > count);
  assert.equal(listener.said.at(-1)?.pending_payments, 1);
});

test('a stream ends with its session', async t => {
  const app = await startApp(t);
  const cashier = await hire(app, 'cashier');
  const listener = await listen(t, app, cashier.headers);
  await until(() => listener.said.length === 1);
  await app.post(`/api/admin/sessions/${cashier.sessionId}/end/`, {}, app.admin);
  await until(() => listener.isOver);
});

test('the 33rd stream is refused, and there is room again when one has left', async t => {
  const app = await startApp(t);
  const streams: Listener[] = [];
  for (let count = 0; count < 32; count += 1) streams.push(await listen(t, app, app.admin));
  await until(() => streams.every(stream => stream.said.length > 0));
  const refused = await app.get('/api/admin/events/', app.admin);
  assert.equal(refused.status, 429);
  assert.ok(refused.headers.get('retry-after'));
  streams[0]!.leave();
  await until(async () => {
    const late = await listen(t, app, app.admin);
    return late.status === 200;
  });
});

test('open streams do not keep the appliance from stopping in time', async t => {
  const app = await startApp(t);
  const listener = await listen(t, app, app.admin);
  await until(() => listener.said.length === 1);
  await app.close();
  await until(() => listener.isOver);
});

test('HEAD opens no stream, and without credentials there is none', async t => {
  const app = await startApp(t);
  for (let count = 0; count < 40; count += 1) {
    assert.equal((await app.send('HEAD', '/api/admin/events/', undefined, app.admin)).status, 200);
  }
  assert.equal((await app.get('/api/admin/events/')).status, 403);
});
