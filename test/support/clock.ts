/** A clock that a test turns: wall and monotonic time go together, until the test makes the wall clock jump. */
import { type Clock, fromEpochMs, type Instant } from '../../src/domain/time.ts';

export interface ManualClock extends Clock {
  /** Time passes, on both. */
  advance(milliseconds: number): void;
  /** The wall clock alone jumps, as when the battery is flat or a time server is wrong. */
  jump(milliseconds: number): void;
}

export function manualClock(start: string): ManualClock {
  let wall = Date.parse(start);
  let monotonic = 1_000_000;
  return {
    now: (): Instant => fromEpochMs(wall),
    monotonic: () => monotonic,
    advance(milliseconds) {
      wall += milliseconds;
      monotonic += milliseconds;
    },
    jump(milliseconds) {
      wall += milliseconds;
    },
  };
}
