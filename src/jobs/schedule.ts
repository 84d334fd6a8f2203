/**
 * The appliance's jobs: each runs on its own period, never twice at once, and a tick that came while it was
 * running is made up as soon as it has finished.
 */
import { createTask, type ScheduledTask } from 'node-cron';
import type { Log } from '../domain/ports.ts';
import type { Clock, Instant } from '../domain/time.ts';

export interface Job {
  name: string;
  /** node-cron expression, seconds first. */
  cron: string;
  /** The time between two ticks of that expression. */
  periodSeconds: number;
  run(): Promise<unknown>;
}

export interface JobReport {
  name: string;
  periodSeconds: number;
  lastFinishedAt: Instant | null;
  /** What the last run failed with; null: it did not fail. */
  lastError: string | null;
  /** Not finished for three periods. */
  late: boolean;
}

export interface Schedule {
  /** Runs every job once, and then on time. */
  start(): void;
  /** No new runs; waits for those under way. */
  stop(): Promise<void>;
  /** Runs a job now, or right after the run under way. @throws RangeError no such job */
  run(name: string): Promise<void>;
  report(): JobReport[];
}

/** Ticks may come this much late before a job counts as late: cron counts whole seconds. */
const LATE_PERIODS = 3;

export function createSchedule(jobs: readonly Job[], { clock, log }: { clock: Clock; log: Log }): Schedule {
  const runners = new Map(jobs.map(job => [job.name, createRunner(job, clock, log)]));
  let tasks: ScheduledTask[] = [];
  return {
    start() {
      tasks = [...runners.values()].map(({ job, tick }) => createTask(job.cron, () => void tick()));
      for (const task of tasks) void task.start();
      for (const { tick } of runners.values()) void tick();
    },
    async stop() {
      for (const task of tasks) await task.destroy();
      tasks = [];
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

function createRunner(job: Job, clock: Clock, log: Log) {
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
        lastError = error instanceof Error ? error.message : String(error);
        log.error({ err: error, job: job.name }, 'job.failed');
      }
      lastFinishedAt = clock.now();
      quietSince = clock.monotonic();
    } while (again);
  }

  return {
    job,
    tick(): Promise<void> {
      again = running !== null;
      running ??= runUntilCaughtUp().finally(() => {
        running = null;
      });
      return running;
    },
    idle: async () => void (await running),
    report: (): JobReport => ({
      name: job.name,
      periodSeconds: job.periodSeconds,
      lastFinishedAt,
      lastError,
      late: clock.monotonic() - quietSince > LATE_PERIODS * job.periodSeconds * 1_000,
    }),
  };
}
