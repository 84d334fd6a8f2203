import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Throttle } from '../../src/router/throttle.ts';
import { manualClock } from '../support/clock.ts';

/** A throttle whose commands end when the test says so, after so much time on the clock. */
function startGate() {
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const throttle = new Throttle(clock);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const command = (name: string, withinMs = 30_000): Promise<void> =>
    throttle.run(clock.monotonic() + withinMs, () => {
      begun.push(name);
      return new Promise(resolve => ends.set(name, resolve));
    });
  const end = async (name: string, afterMs: number) => {
    clock.advance(afterMs);
    ends.get(name)?.();
    await nextTurn();
  };
  return { clock, throttle, begun, command, end };
}

test('a quick router is given every command at once', async () => {
  const { begun, command, end, throttle } = startGate();
  const all = ['a', 'b', 'c'].map(name => command(name));
  assert.deepEqual(begun, ['a', 'b', 'c']);
  for (const name of begun) await end(name, 300);
  await Promise.all(all);
  assert.equal(throttle.isSlow, false);
});

test('a router whose reply took over a second is given one command at a time, those that have least time first', async () => {
  const { begun, command, end, throttle } = startGate();
  const first = command('first');
  await end('first', 1_100);
  await first;
  assert.equal(throttle.isSlow, true);
  const all = [command('pass 1'), command('pass 2'), command('pass 3'), command('person', 8_000)];
  assert.deepEqual(begun, ['first', 'pass 1']);
  await end('pass 1', 900);
  assert.deepEqual(begun.slice(2), ['person']);
  await end('person', 900);
  assert.deepEqual(begun.slice(3), ['pass 2']);
  await end('pass 2', 900);
  await end('pass 3', 900);
  await Promise.all(all);
});

test('a command whose turn does not come in time is told so, and never reaches the router', async () => {
  const { begun, command, end } = startGate();
  const first = command('first');
  await end('first', 1_100);
  await first;
  const pass = command('pass');
  await assert.rejects(command('person', 20), { code: 'ROUTER_UNAVAILABLE', message: /too long/ });
  await end('pass', 10);
  await pass;
  assert.deepEqual(begun, ['first', 'pass']);
});

test('a minute after its last slow reply a router is quick again, and whoever waits goes on', async () => {
  const { begun, command, end, throttle } = startGate();
  const first = command('first');
  await end('first', 1_100);
  await first;
  const all = [command('a'), command('b'), command('c')];
  await end('a', 100);
  assert.deepEqual(begun.slice(1), ['a', 'b']);
  const { length } = begun;
  await end('b', 60_000);
  assert.equal(begun.length, length + 1);
  assert.equal(throttle.isSlow, true, 'that was a slow reply again');
  await end('c', 100);
  await Promise.all(all);
});

test('a command that fails leaves its place to the next', async () => {
  const { command, end, throttle, clock } = startGate();
  const first = command('first');
  await end('first', 1_100);
  await first;
  const failing = throttle.run(clock.monotonic() + 1_000, () => Promise.reject(new Error('lost')));
  const next = command('next');
  await assert.rejects(failing, /lost/);
  await end('next', 1);
  await next;
});
