/** A clock that a test turns: wall and monotonic time go together, until the test makes the wall clock jump. */
import { type Clock, fromEpochMs, type Instant } from '../../src/domain/time.ts';

export interface ManualClock extends Clock {
  /** Time passes, on both. */
  advance(milliseconds: number): void;
  /** The wall clock alone jumps, as when the battery is flat or a time server is wrong. */
  jump(milliseconds: number): void;
  /** Milliseconds since the epoch on a clock beside it that never jumps: the router's, the provider's. */
  elsewhere(): number;
}

export function manualClock(start: string): ManualClock {
  let wall = Date.parse(start);
  let monotonic = 1_000_000;
  const offset = wall - monotonic;
  return {
    now: (): Instant => fromEpochMs(wall),
    monotonic: () => monotonic,
    elsewhere: () => monotonic + offset,
    advance(milliseconds) {
      wall += milliseconds;
      monotonic += milliseconds;
    },
    jump(milliseconds) {
      wall += milliseconds;
    },
  };
}
