import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { guardClock } from '../../src/domain/clock-guard.ts';
import { createSchedule } from '../../src/jobs/schedule.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/app.ts';
import { manualClock } from '../support/clock.ts';

test('jobs go on when the wall clock is set back by hours', { timeout: 120_000 }, async t => {
  const child = fork(join(import.meta.dirname, 'stepping-clock.ts'));
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const heard: unknown[] = [];
  child.on('message', word => heard.push(word));
  await until(() => heard.length >= 3);
  child.send('set the clock back');
  const runsSince = () => heard.length - 1 - heard.indexOf('set back');
  await until(() => heard.includes('set back') && runsSince() >= 5);
  assert.equal(new Set(heard).size, 2);
});

test('a job that cron has not started on time by the monotonic clock is started', async t => {
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const logged: string[] = [];
  let runs = 0;
  const run = async () => {
    runs += 1;
  };
  // Due by cron once a day: in the second that this test takes, the watchdog alone starts it.
  const day = 86_400;
  const schedule = createSchedule([{ name: 'daily', periodSeconds: day, run }], {
    clock: guardClock(clock, { lastKnown: null }),
    log: createLog('debug', { write: line => void logged.push(line) }),
  });
  t.after(() => schedule.stop());
  schedule.start();
  await until(() => runs === 1);
  clock.advance(day * 1_000 + 3_000);
  await until(() => runs > 1);
  const runsBefore = runs;
  clock.jump(-6 * 3_600_000);
  await until(() => logged.some(line => line.includes('schedule.clock_stepped') && line.includes('-21600')));
  clock.advance(day * 1_000 + 3_000);
  await until(() => runs > runsBefore);
});
