/**
 * A clock that does not trust a jump. Small boxes lose their time: after a power failure they start in 1970, and a
 * wrong time server moves them by years. Paid time depends on the clock, so a wall clock that differs from the
 * monotonic clock by more than five minutes is not trusted: time goes on as the monotonic clock counts it, and access
 * does not expire for a day, until the wall clock agrees again or an operator confirms it.
 *
 * Small corrections are followed, and do not add up: what is counted follows them no faster than a bad crystal drifts,
 * so however many steps there are, the clock is never further off than five minutes and 17 seconds a day.
 *
 * A box without a clock of its own begins about where it was switched off, and is right only once a time server has
 * set it: that first time is believed, unless it is earlier than what the books have seen. So is the time that the
 * machine has been asleep, which the monotonic clock does not count.
 */
import { type Clock, fromEpochMs, type Instant, toEpochMs } from './time.ts';

export const TOLERANCE_MS = 5 * 60_000;
/** How fast small corrections become the new measure: a bad crystal that a time server sets right every day. */
export const DRIFT_RATE = 200e-6;
/** How long expiry waits for somebody to set the clock; then access ends by the counted time. */
export const LONGEST_HOLD_MS = 24 * 3_600_000;
/** Boxes are switched off for weeks, but not for longer; a clock with a dead battery is years off. */
export const LONGEST_ABSENCE_MS = 30 * 24 * 3_600_000;
/** How often the system is asked whether its clock has been set, as long as nothing is wrong. */
const ASK_EVERY_MS = 10 * 60_000;
/** What is measured as sleep while there was none. */
const SLEEP_NOISE_MS = 1_000;

export interface GuardedClock extends Clock {
  readonly trusted: boolean;
  /** The time up to which expired access may be taken away: stands still, for a day, while the clock is not trusted. */
  cutOffTime(): Instant;
  /** What the unguarded wall clock says, for people to compare. */
  wallTime(): Instant;
  /** An operator says that the wall clock is right. */
  confirm(): void;
}

interface GuardOptions {
  /**
   * The latest time the appliance is known to have lived through, from its books; null: this is its first start. A
   * start earlier than that, or more than 30 days later, is not trusted at first.
   */
  lastKnown: Instant | null;
  /** Whether the system says that a time server has set its clock since it was switched on. */
  isSynchronised?: () => boolean;
  /** How long the machine has been asleep, in milliseconds, counted from any moment. */
  sleptMs?: () => number;
  /** Called once each time trust is lost. */
  onDistrust?: () => void;
}

export function guardClock(source: Clock, options: GuardOptions): GuardedClock {
  const { lastKnown, isSynchronised = () => false, sleptMs = () => 0, onDistrust = () => {} } = options;
  const wallNow = () => toEpochMs(source.now());
  // What the wall clock should say, by the last trusted time and the monotonic clock since; and how far the last
  // trusted wall clock was off that.
  let measure = wallNow();
  let measuredAt = source.monotonic();
  let correction = 0;
  /** Where expiry stopped, and when by the monotonic clock; null while the clock is trusted. */
  let held: { at: number; since: number } | null = null;
  /** True after an untrusted start: the last known time is known, how much later it is by now is not. */
  let catchesUp = false;
  /** No time server has set the wall clock yet; and when that was asked last. */
  let awaitsServer = !isSynchronised();
  let askedAt = source.monotonic();
  let sleptBefore = sleptMs();

  const lose = (at: number) => {
    held = { at, since: source.monotonic() };
    onDistrust();
  };
  const adopt = (wall: number): number => {
    measure = wall;
    measuredAt = source.monotonic();
    correction = 0;
    held = null;
    catchesUp = false;
    awaitsServer &&= !isSynchronised();
    return wall;
  };
  const askWhetherSet = () => {
    if (source.monotonic() - askedAt < ASK_EVERY_MS) return;
    askedAt = source.monotonic();
    awaitsServer = !isSynchronised();
  };
  /** What the monotonic clock has left out since this was asked last. */
  const sleptSinceAsked = (): number => {
    const before = sleptBefore;
    sleptBefore = sleptMs();
    const slept = sleptBefore - before;
    return slept > SLEEP_NOISE_MS ? slept : 0;
  };
  const isSetForTheFirstTime = (wall: number) =>
    awaitsServer && (lastKnown === null || wall >= toEpochMs(lastKnown) - TOLERANCE_MS) && isSynchronised();

  const believe = (): number => {
    const wall = wallNow();
    const passed = source.monotonic() - measuredAt;
    let off = wall - measure - passed;
    if (Math.abs(off) > TOLERANCE_MS && held === null) {
      const slept = sleptSinceAsked();
      measure += slept;
      off -= slept;
    }
    if (Math.abs(off) <= TOLERANCE_MS) {
      if (awaitsServer) askWhetherSet();
      const followed = Math.max(-passed * DRIFT_RATE, Math.min(off, passed * DRIFT_RATE));
      measure += passed + followed;
      measuredAt += passed;
      correction = off - followed;
      held = null;
      catchesUp = false;
      return wall;
    }
    // A clock that was wrong at the start and is then set right jumps forward, past the last known time.
    if (catchesUp && off > 0 && (off <= LONGEST_ABSENCE_MS || isSynchronised())) return adopt(wall);
    if (isSetForTheFirstTime(wall)) return adopt(wall);
    const counted = measure + passed + correction;
    if (held === null) lose(counted);
    return counted;
  };

  if (lastKnown !== null) {
    const ahead = measure - toEpochMs(lastKnown);
    if (ahead < -TOLERANCE_MS || (ahead > LONGEST_ABSENCE_MS && !isSynchronised())) {
      measure = toEpochMs(lastKnown);
      catchesUp = true;
      lose(measure);
    }
  }

  return {
    now: () => fromEpochMs(believe()),
    monotonic: () => source.monotonic(),
    wallTime: () => source.now(),
    get trusted() {
      believe();
      return held === null;
    },
    cutOffTime() {
      const now = believe();
      return fromEpochMs(held !== null && source.monotonic() - held.since < LONGEST_HOLD_MS ? held.at : now);
    },
    confirm: () => void adopt(wallNow()),
  };
}
