/**
 * A clock that does not believe a jump. Small boxes lose their time: after a power failure they wake up in 1970,
 * and a wrong time server moves them by years. Paid time hangs on the clock, so a wall clock that jumps by more
 * than five minutes against the monotonic clock is not believed: time goes on as the monotonic clock counts it,
 * and nobody is cut off, until the wall clock agrees again or an operator confirms it.
 */
import { type Clock, fromEpochMs, type Instant, toEpochMs } from './time.ts';

const TOLERANCE_MS = 5 * 60_000;

export interface GuardedClock extends Clock {
  readonly trusted: boolean;
  /** The time up to which expired access may be taken away: stands still while the clock is not trusted. */
  cutOffTime(): Instant;
  /** What the unguarded wall clock says, for people to compare. */
  wallTime(): Instant;
  /** An operator says that the wall clock is right. */
  confirm(): void;
}

/**
 * @param lastKnown the latest time the appliance is known to have lived through, from its books; a start with an
 *   earlier wall clock is not trusted until the wall clock has caught up
 * @param onDistrust called once each time trust is lost
 */
export function guardClock(source: Clock, lastKnown: Instant | null, onDistrust: () => void = () => {}): GuardedClock {
  const startWall = toEpochMs(source.now());
  const floor = lastKnown === null ? startWall : toEpochMs(lastKnown);
  const startedBehind = startWall < floor - TOLERANCE_MS;
  let anchor = { wall: startedBehind ? floor : startWall, monotonic: source.monotonic() };
  // Where expiry stopped; null while the clock is trusted.
  let heldAt: number | null = startedBehind ? floor : null;
  let catchesUp = startedBehind;
  if (startedBehind) onDistrust();

  const adopt = (wall: number): number => {
    anchor = { wall, monotonic: source.monotonic() };
    heldAt = null;
    catchesUp = false;
    return wall;
  };

  const believe = (): number => {
    const wall = toEpochMs(source.now());
    const counted = anchor.wall + (source.monotonic() - anchor.monotonic);
    // A clock that woke up too early and is then set right jumps forward, past all that was lived through.
    if (Math.abs(wall - counted) <= TOLERANCE_MS || (catchesUp && wall > counted)) return adopt(wall);
    if (heldAt === null) {
      heldAt = counted;
      onDistrust();
    }
    return counted;
  };

  return {
    now: () => fromEpochMs(believe()),
    monotonic: () => source.monotonic(),
    wallTime: () => source.now(),
    get trusted() {
      believe();
      return heldAt === null;
    },
    cutOffTime() {
      const now = believe();
      return fromEpochMs(heldAt ?? now);
    },
    confirm: () => void adopt(toEpochMs(source.now())),
  };
}
