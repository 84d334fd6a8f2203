import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';

import * as field from '../../src/contract/fields.ts';
import { LangoError } from '../../src/domain/errors.ts';
import { createRateLimit, createRateLimits, type RateLimit } from '../../src/http/rate-limits.ts';
import { OPEN, postJson, serve } from './support.ts';

function manualClock() {
  let now = 1_000;
  return { monotonic: () => now, advance: (ms: number) => (now += ms) };
}

const nobody = () => false;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function refused(use: () => void): number {
  try {
    use();
    return 0;
  } catch (error) {
    assert.ok(error instanceof LangoError && error.code === 'RATE_LIMITED', String(error));
    return error.retryAfterSeconds ?? Number.NaN;
  }
}

test('the limits are those that are documented', () => {
  const clock = manualClock();
  const limits = createRateLimits({ clock, isRouter: nobody });
  const expected: [keyof typeof limits, number, number][] = [
    ['login', 5, 60],
    ['initiatePayment', 10, 60],
    ['userStatus', 60, 60],
    ['verify', 60, 60],
    ['devices', 60, 60],
    ['routerQuestions', 60, 60],
    ['captivePortal', 60, 60],
    ['redeem', 10, 600],
  ];
  for (const [name, uses, seconds] of expected) {
    const limit: RateLimit = limits[name];
    for (let use = 0; use < uses; use += 1)
      assert.equal(
        refused(() => limit.take('10.0.0.1')),
        0,
        name,
      );
    assert.equal(
      refused(() => limit.take('10.0.0.1')),
      seconds,
      name,
    );
    assert.equal(
      refused(() => limit.take('10.0.0.2')),
      0,
      `${name} for somebody else`,
    );
  }
});

test('a window ends, and what was refused does not lengthen it', () => {
  const clock = manualClock();
  const limit = createRateLimit(2, 60_000, { clock });
  limit.take('10.0.0.1');
  clock.advance(30_000);
  limit.take('10.0.0.1');
  for (let again = 0; again < 5; again += 1)
    assert.equal(
      refused(() => limit.take('10.0.0.1')),
      30,
    );
  clock.advance(29_500);
  assert.equal(
    refused(() => limit.take('10.0.0.1')),
    1,
  );
  clock.advance(500);
  assert.equal(
    refused(() => limit.take('10.0.0.1')),
    0,
  );
});

test('a use counts before the work, and what succeeded is given back', () => {
  const clock = manualClock();
  const limit = createRateLimit(10, 600_000, { clock });
  for (let right = 0; right < 50; right += 1) limit.take('10.0.0.1')();
  const underWay = Array.from({ length: 10 }, () => limit.take('10.0.0.1'));
  assert.equal(
    refused(() => limit.take('10.0.0.1')),
    600,
    'ten at one moment are ten',
  );
  underWay[0]?.();
  assert.equal(
    refused(() => limit.take('10.0.0.1')),
    0,
  );
  clock.advance(600_000);
  // Of a window that is over: the next one is not made longer by it.
  underWay[1]?.();
  for (let wrong = 0; wrong < 10; wrong += 1) limit.take('10.0.0.1');
  assert.equal(
    refused(() => limit.take('10.0.0.1')),
    600,
  );
});

test('a subject counts whatever address names it, and a use that is refused for one counts for neither', () => {
  const limit = createRateLimit(2, 60_000, { clock: manualClock() });
  limit.take('10.0.0.1', 'admin 1');
  const giveBack = limit.take('10.0.0.2', 'admin 1');
  for (let again = 0; again < 5; again += 1) {
    assert.equal(
      refused(() => limit.take('10.0.0.3', 'admin 1')),
      60,
    );
  }
  limit.take('10.0.0.3', 'admin 2');
  limit.take('10.0.0.3', 'admin 2');
  giveBack();
  assert.equal(
    refused(() => limit.take('10.0.0.2', 'admin 1')),
    0,
  );
});

test('whoever is exempt is never limited', () => {
  const isExempt = (address: string) => address === '10.5.50.1';
  const limit = createRateLimit(1, 60_000, { clock: manualClock(), isExempt });
  for (let use = 0; use < 100; use += 1) limit.take('10.5.50.1');
  limit.take('10.5.50.7');
  assert.equal(
    refused(() => limit.take('10.5.50.7')),
    60,
  );
});

test('an IPv6 /64 is one client, the next /64 another', () => {
  const limit = createRateLimit(1, 60_000, { clock: manualClock() });
  limit.take('2001:db8:0:1::1');
  assert.equal(
    refused(() => limit.take('2001:db8:0:1:ffff:ffff:ffff:ffff')),
    60,
  );
  assert.equal(
    refused(() => limit.take('2001:db8:0:2::1')),
    0,
  );
});

test('a flood of addresses and subjects neither grows without bound nor stops anybody else', () => {
  const clock = manualClock();
  const limit = createRateLimit(3, 60_000, { clock });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 300_000; i += 1) {
    limit.take(`10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`, `+2557${String(i).padStart(8, '0')}`);
  }
  collectGarbage();
  const grown = (process.memoryUsage().heapUsed - before) / 1_024 / 1_024;
  assert.ok(grown < 8, `${grown.toFixed(1)} MB for 600,000 keys`);
  limit.take('203.0.113.1');
  limit.take('203.0.113.1');
  limit.take('203.0.113.1');
  assert.equal(
    refused(() => limit.take('203.0.113.1')),
    60,
  );
});

test('when a table is full the window that ends first makes room, and ended windows go first', () => {
  const clock = manualClock();
  const limit = createRateLimit(1, 60_000, { clock, capacity: 3 });
  for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']) limit.take(address);
  assert.ok(refused(() => limit.take('10.0.0.4')) > 0);
  assert.ok(refused(() => limit.take('10.0.0.2')) > 0);
  assert.equal(
    refused(() => limit.take('10.0.0.1')),
    0,
  );
});

test('over HTTP a limited route answers 429 with Retry-After, before the body is judged', async t => {
  const clock = manualClock();
  const limit = createRateLimit(3, 60_000, { clock });
  const contract = {
    ...OPEN,
    method: 'POST',
    path: '/verify/',
    body: v.object({ phone_number: field.phone }),
  } as const;
  const { url } = await serve(t, api => api.handle(contract, ({ clientIp }) => clientIp, { limit }), {
    trustedProxies: ['127.0.0.1'],
  });
  const ask = (from: string, phone: string) =>
    postJson(`${url}/api/verify/`, { phone_number: phone }, { 'x-forwarded-for': from });
  for (const phone of ['x', 'y', 'z']) assert.equal((await ask('10.0.0.9', phone)).status, 400);
  const refusedOne = await ask('10.0.0.9', 'x');
  assert.equal(refusedOne.status, 429);
  assert.equal(refusedOne.headers.get('retry-after'), '60');
  assert.deepEqual(await refusedOne.json(), {
    error: 'Too many requests',
    message: 'Too many requests. Please try again in 60 s.',
  });
  assert.equal((await ask('10.0.0.4', '0712345678')).status, 200);
  clock.advance(60_000);
  assert.equal((await ask('10.0.0.9', '0712345678')).status, 200);
});
