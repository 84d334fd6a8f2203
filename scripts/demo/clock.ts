/** The clock of the demo's machine: it goes on, and jumps when it is told to. */
import { addSeconds, type Clock, fromEpochMs, type Instant, systemClock, toEpochMs } from '../../src/domain/time.ts';

export interface DemoClock extends Clock {
  /** How far the wall clock is off. */
  jumpedSeconds: number;
  /** Milliseconds since the epoch on a clock beside it that never jumps: the router's. */
  elsewhere(): number;
}

/** @param startsAt where it begins instead of now */
export function demoClock(startsAt?: Instant): DemoClock {
  const monotonic = systemClock.monotonic;
  const beginning = startsAt === undefined ? null : toEpochMs(startsAt) - monotonic();
  const elsewhere = () => (beginning === null ? toEpochMs(systemClock.now()) : beginning + monotonic());
  return {
    jumpedSeconds: 0,
    now() {
      return addSeconds(fromEpochMs(elsewhere()), this.jumpedSeconds);
    },
    monotonic,
    elsewhere,
  };
}
