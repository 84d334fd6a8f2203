import assert from 'node:assert/strict';
import test from 'node:test';
import { withDeadline } from '../../src/domain/deadline.ts';

const unexpected = () => assert.fail('there was time enough');

test('an answer in time is the answer, a failure in time the failure', async () => {
  assert.equal(await withDeadline(Promise.resolve(1), 60_000, unexpected), 1);
  await assert.rejects(withDeadline(Promise.reject(new Error('no')), 60_000, unexpected), /no/);
});

test('what does not come in time is done without, and fails for nobody afterwards', async t => {
  // A deadline alone keeps no process alive.
  const alive = setInterval(() => {}, 60_000);
  t.after(() => clearInterval(alive));
  const { promise, reject } = Promise.withResolvers<number>();
  assert.equal(await withDeadline(promise, 1, () => 2), 2);
  const late = () => {
    throw new Error('too late');
  };
  await assert.rejects(withDeadline(promise, 0, late), /too late/);
  reject(new Error('heard by nobody'));
});
