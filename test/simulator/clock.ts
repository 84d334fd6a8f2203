/** The time the simulated router lives in, in milliseconds since the epoch. */
export interface SimulatorClock {
  now(): number;
  /** Lets time pass. @throws Error when the clock is not a manual one */
  advance(ms: number): void;
  /** Whether time passes by itself. */
  readonly runs: boolean;
}

export const realClock: SimulatorClock = {
  now: () => Date.now(),
  advance: () => {
    throw new Error('This simulator runs on real time; start it with clock: "manual" to step it.');
  },
  runs: true,
};

export function manualClock(startAt: number): SimulatorClock {
  let now = startAt;
  return {
    now: () => now,
    advance: ms => {
      now += ms;
    },
    runs: false,
  };
}

/** Follows somebody else's clock, such as the one a test steps for the appliance. */
export function followedClock(now: () => number): SimulatorClock {
  return {
    now,
    advance: () => {
      throw new Error('This simulator follows another clock; step that one, then call settle().');
    },
    runs: true,
  };
}
