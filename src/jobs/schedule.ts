/**
 * The appliance's jobs: each runs on its own period, never twice at once, and a tick that came while it was
 * running is made up as soon as it has finished.
 *
 * node-cron follows the wall clock, and would wait for hours after it was set back. A watchdog on the monotonic clock
 * makes its tasks anew when the wall clock steps, and runs what is overdue.
 */
import { createTask, type ScheduledTask } from 'node-cron';
import type { GuardedClock } from '../domain/clock-guard.ts';
import { messageOf } from '../domain/errors.ts';
import type { JobState, Log } from '../domain/ports.ts';
import { type Instant, SECONDS_PER_HOUR, toEpochMs } from '../domain/time.ts';

export interface Job {
  name: string;
  /** What divides a minute, a minute, an hour, or a day. */
  periodSeconds: number;
  run(): Promise<unknown>;
}

export interface Schedule {
  /** Runs every job once, and then on time. */
  start(): void;
  /** One more job; where the others have started, it starts as they did. */
  add(job: Job): void;
  /** No new runs of it. */
  remove(name: string): void;
  /** No new runs; waits for those under way. */
  stop(): Promise<void>;
  /** Runs a job now, or right after the run under way. @throws RangeError no such job */
  run(name: string): Promise<void>;
  report(): JobState[];
}

/** Ticks may come this much late before a job counts as late: cron counts whole seconds. */
const LATE_PERIODS = 3;

const WATCH_EVERY_MS = 1_000;
/** A wall clock that moves by this much against the monotonic one between two looks has been set. */
const STEP_MS = 1_000;
/** Cron counts whole seconds, and a busy process ticks late: so much more than its period may a tick take. */
const OVERDUE_AFTER_MS = 2_000;

export interface ScheduleOptions {
  clock: GuardedClock;
  log: Log;
}

export function createSchedule(jobs: readonly Job[], { clock, log }: ScheduleOptions): Schedule {
  const runners = new Map(jobs.map(job => [job.name, createRunner(job, clock, log)]));
  const wallAhead = () => toEpochMs(clock.wallTime()) - clock.monotonic();
  let watchdog: NodeJS.Timeout | undefined;
  let lastAhead = 0;

  function begin({ plan, tick }: Runner): void {
    plan();
    void tick();
  }

  function watch(): void {
    const ahead = wallAhead();
    const steppedBy = ahead - lastAhead;
    lastAhead = ahead;
    const hasStepped = Math.abs(steppedBy) >= STEP_MS;
    if (hasStepped) log.warn({ seconds: Math.round(steppedBy / 1_000) }, 'schedule.clock_stepped');
    for (const runner of runners.values()) {
      const isOverdue = runner.isOverdue();
      if (hasStepped || isOverdue) runner.plan();
      if (isOverdue) void runner.tick();
    }
  }

  return {
    start() {
      for (const runner of runners.values()) begin(runner);
      lastAhead = wallAhead();
      watchdog = setInterval(watch, WATCH_EVERY_MS).unref();
    },
    add(job) {
      const runner = createRunner(job, clock, log);
      runners.set(job.name, runner);
      if (watchdog !== undefined) begin(runner);
    },
    remove(name) {
      runners.get(name)?.unplan();
      runners.delete(name);
    },
    async stop() {
      clearInterval(watchdog);
      watchdog = undefined;
      for (const { unplan } of runners.values()) unplan();
      await Promise.all([...runners.values()].map(runner => runner.idle()));
    },
    async run(name) {
      const runner = runners.get(name);
      if (runner === undefined) throw new RangeError(`There is no job named ${name}.`);
      await runner.tick();
    },
    report: () => [...runners.values()].map(runner => runner.report()),
  };
}

type Runner = ReturnType<typeof createRunner>;

function createRunner(job: Job, clock: GuardedClock, log: Log) {
  let task: ScheduledTask | null = null;
  let tickedAt = clock.monotonic();
  let running: Promise<void> | null = null;
  let again = false;
  let lastFinishedAt: Instant | null = null;
  let lastError: string | null = null;
  let quietSince = clock.monotonic();

  async function runUntilCaughtUp(): Promise<void> {
    do {
      again = false;
      try {
        await job.run();
        lastError = null;
      } catch (error) {
        lastError = messageOf(error);
        log.error({ err: error, job: job.name }, 'job.failed');
      }
      lastFinishedAt = clock.now();
      quietSince = clock.monotonic();
    } while (again);
  }

  function tick(): Promise<void> {
    tickedAt = clock.monotonic();
    again = running !== null;
    running ??= runUntilCaughtUp().finally(() => {
      running = null;
    });
    return running;
  }

  function unplan(): void {
    void task?.destroy();
    task = null;
  }

  return {
    tick,
    /** From now on by node-cron, as the wall clock stands. */
    plan(): void {
      unplan();
      task = createTask(cronOf(job.periodSeconds), () => void tick());
      void task.start();
    },
    unplan,
    isOverdue: () => clock.monotonic() - tickedAt > job.periodSeconds * 1_000 + OVERDUE_AFTER_MS,
    idle: async () => void (await running),
    report: (): JobState => ({
      name: job.name,
      periodSeconds: job.periodSeconds,
      lastFinishedAt,
      lastError,
      late: clock.monotonic() - quietSince > LATE_PERIODS * job.periodSeconds * 1_000,
    }),
  };
}

/** Seconds first. What is rare keeps off the full minute and the full hour. */
function cronOf(periodSeconds: number): string {
  if (periodSeconds < 60) return `*/${periodSeconds} * * * * *`;
  if (periodSeconds === 60) return '30 * * * * *';
  return periodSeconds === SECONDS_PER_HOUR ? '0 7 * * * *' : '0 17 3 * * *';
}
