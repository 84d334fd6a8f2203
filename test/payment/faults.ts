/**
 * What every driver must do when its provider misbehaves, whoever the provider is. Each driver's test file
 * registers these with its own construction; the sandbox's faults are tested with its service.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PaymentProvider } from '../../src/domain/ports.ts';
import type { DriverTools } from '../../src/payment/client.ts';
import {
  checkoutRequest,
  manualClock,
  PHONE,
  type Play,
  type ProviderServer,
  recordingLog,
  rejectsWith,
  type Scripted,
  startProvider,
} from './support.ts';

export interface Rig {
  provider: PaymentProvider;
  server: ProviderServer;
  log: ReturnType<typeof recordingLog>;
  clock: ReturnType<typeof manualClock>;
}

export interface DriverUnderTest {
  name: string;
  create(apiUrl: string, tools: DriverTools): PaymentProvider;
  /** The provider on a good day. */
  play: Play;
  /** Answers what must work before the call under test is reached (tokens, registrations); null: not such a request. */
  preliminaries?: (path: string) => Scripted | null;
  /** Text that must never reach the log. */
  secrets: readonly string[];
  paymentReference: string | null;
  currency: string;
}

export async function startRig(t: TestContext, driver: DriverUnderTest, deadlineMs = 10_000): Promise<Rig> {
  const server = await startProvider(t, driver.play);
  const log = recordingLog();
  const clock = manualClock();
  return { provider: driver.create(server.url, { log, clock, deadlineMs }), server, log, clock };
}

export function testFaults(driver: DriverUnderTest): void {
  const order = checkoutRequest({ amount: { minor: 100_000, currency: driver.currency } });
  const verifyRequest = {
    orderReference: order.orderReference,
    paymentReference: driver.paymentReference,
    currency: driver.currency,
  };

  /** The provider answers `answer` to everything but preliminaries. */
  function broken(rig: Rig, answer: Scripted): void {
    rig.server.play = request => driver.preliminaries?.(request.path) ?? answer;
  }

  function assertQuiet(rig: Rig): void {
    const text = rig.log.text();
    for (const secret of [...driver.secrets, PHONE.slice(1)]) assert.ok(!text.includes(secret), `${secret} in ${text}`);
  }

  const cases: readonly [title: string, answer: Scripted, reason: RegExp][] = [
    ['an HTML page', { status: 200, body: '<h1>Welcome</h1>' }, /not JSON/],
    ['an HTML page with status 403', { status: 403, body: '<h1>Forbidden</h1>' }, /not JSON/],
    ['an HTML page with status 502', { status: 502, body: '<h1>Bad gateway</h1>' }, /not JSON/],
    ['an empty body', { status: 200, body: '' }, /not JSON/],
    ['a redirect', { status: 302, body: {}, headers: { location: 'http://127.0.0.1:9/' } }, /redirect/],
    ['an endless reply', { status: 200, body: `"${'x'.repeat(600_000)}"` }, /too long/],
    ['JSON that means nothing', { status: 200, body: { hello: 'world' } }, /./],
    ['JSON of another shape', { status: 200, body: '[[],null,1]' }, /./],
  ];
  for (const [title, answer, reason] of cases) {
    test(`${driver.name}: ${title} makes the provider unavailable, and the log says why`, async t => {
      const rig = await startRig(t, driver);
      broken(rig, answer);
      await rejectsWith(rig.provider.verify(verifyRequest), 'PAYMENT_PROVIDER_UNAVAILABLE');
      await rejectsWith(rig.provider.createCheckout(order), 'PAYMENT_PROVIDER_UNAVAILABLE');
      const entries = rig.log.entries.filter(entry => entry.event === 'payment.provider_unavailable');
      assert.deepEqual(
        entries.map(entry => entry.fields['operation']),
        ['verify', 'create'],
      );
      for (const entry of entries) assert.match(String(entry.fields['reason']), reason);
      assertQuiet(rig);
    });
  }

  test(`${driver.name}: a reply that never ends is hung up on, whatever its status`, async t => {
    // Long, so that what ends it is its length.
    const rig = await startRig(t, driver, 120_000);
    broken(rig, 'endless');
    await rejectsWith(rig.provider.verify(verifyRequest), 'PAYMENT_PROVIDER_UNAVAILABLE');
    await rejectsWith(rig.provider.createCheckout(order), 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.equal(rig.log.entries.at(-1)?.fields['reason'], 'the reply is too long');
    await rig.server.left();
  });

  test(`${driver.name}: no reply ends every call at its deadline`, async t => {
    const rig = await startRig(t, driver, 300);
    broken(rig, 'hang');
    await rejectsWith(rig.provider.createCheckout(order), 'PAYMENT_PROVIDER_UNAVAILABLE');
    await rejectsWith(rig.provider.verify(verifyRequest), 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.equal(rig.log.entries.at(-1)?.fields['reason'], 'no reply in time');
    assertQuiet(rig);
  });

  test(`${driver.name}: a server that hangs at the first request also ends at the deadline`, async t => {
    const rig = await startRig(t, driver, 300);
    rig.server.play = () => 'hang';
    await rejectsWith(rig.provider.createCheckout(order), 'PAYMENT_PROVIDER_UNAVAILABLE');
  });

  test(`${driver.name}: a provider that cannot be reached is unavailable`, async t => {
    const rig = await startRig(t, driver);
    const unreachable = driver.create('http://127.0.0.1:1', { log: rig.log, clock: rig.clock });
    await rejectsWith(unreachable.createCheckout(order), 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.match(rig.log.text(), /no connection/);
    assertQuiet(rig);
  });

  test(`${driver.name}: a rate limit is waited out without asking, then asked again`, async t => {
    const rig = await startRig(t, driver);
    broken(rig, { status: 429, body: { message: 'Too many requests' }, headers: { 'retry-after': '7' } });
    const fault = await rejectsWith(rig.provider.verify(verifyRequest), 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.equal(fault.retryAfterSeconds, 7);
    const asked = rig.server.requests.length;
    rig.clock.advance(3);
    const again = await rejectsWith(rig.provider.createCheckout(order), 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.equal(again.retryAfterSeconds, 4);
    assert.equal(rig.server.requests.length, asked);
    rig.clock.advance(5);
    rig.server.play = driver.play;
    await rig.provider.createCheckout(order);
    assert.ok(rig.server.requests.length > asked);
  });

  test(`${driver.name}: bytes that are no notification are a validation error`, async t => {
    const { provider, clock } = await startRig(t, driver);
    for (const body of ['', 'hello', 'null', '[]', '{}', '{"event":1,"data":[]}', '['.repeat(60_000), '{"a":"\xff"}']) {
      assert.throws(
        () =>
          provider.parseWebhook({
            rawBody: Buffer.from(body, 'latin1'),
            headers: {},
            now: clock.now(),
          }),
        { code: 'VALIDATION' },
        body.slice(0, 40),
      );
    }
  });
}
