/** A process whose wall clock is set back six hours when it is told to: a job every second says that it ran. */
import { guardClock } from '../../src/domain/clock-guard.ts';
import { systemClock } from '../../src/domain/time.ts';
import { createSchedule } from '../../src/jobs/schedule.ts';

const RealDate = Date;
let setBackBy = 0;
globalThis.Date = class extends RealDate {
  // oxlint-disable-next-line typescript/no-explicit-any
  constructor(...args: any[]) {
    if (args.length === 0) super(RealDate.now() - setBackBy);
    else super(...(args as [number]));
  }
  static override now(): number {
    return RealDate.now() - setBackBy;
  }
} as DateConstructor;

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const run = async () => void process.send?.('ran');
const schedule = createSchedule([{ name: 'second', periodSeconds: 1, run }], {
  clock: guardClock(systemClock, { lastKnown: null }),
  log: silent,
});
schedule.start();
process.once('message', () => {
  setBackBy = 6 * 3_600_000;
  process.send?.('set back');
});
process.once('disconnect', () => process.exit());
