/** The machine: is there room, is the disk quick enough, does the clock go right. */
import { spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { LONGEST_ABSENCE_MS, TOLERANCE_MS } from '../../domain/clock-guard.ts';
import { messageOf } from '../../domain/errors.ts';
import { type Instant, secondsBetween } from '../../domain/time.ts';
import { isDiskFailure } from '../../store/database.ts';
import { type Finding, watch, well, wrong } from './finding.ts';

const GB = 1_000_000_000;
const LEAST_FREE_BYTES = 0.5 * GB;
const GOOD_FREE_BYTES = 2 * GB;
const PROBES = 20;
const SLOW_FLUSH_MS = 10;

/** @param folder the data folder; it exists */
export function checkDisk(folder: string): Finding[] {
  try {
    return [checkRoom(folder), checkFlush(folder)];
  } catch (error) {
    if (isDiskFailure(error)) return [wrong(`The disk of ${folder} takes nothing (${messageOf(error)}): make room.`)];
    return [
      wrong(`The data folder ${folder} cannot be written (${messageOf(error)}): give it to the user Lango runs as.`),
    ];
  }
}

function checkRoom(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const room = `${(free / GB).toFixed(1)} GB are free where the books are (${folder}).`;
  if (free < LEAST_FREE_BYTES) return wrong(`Only ${room} Make room: with a full disk nothing can be sold.`);
  return free < GOOD_FREE_BYTES ? watch(`${room} That is little; a backup needs as much again.`) : well(room);
}

/** Every payment and redemption waits for one flush. */
function checkFlush(folder: string): Finding {
  const probeFolder = mkdtempSync(join(folder, '.doctor-'));
  try {
    const file = openSync(join(probeFolder, 'probe'), 'w');
    const block = Buffer.alloc(4_096);
    const times = Array.from({ length: PROBES }, () => {
      writeSync(file, block);
      const started = performance.now();
      fsyncSync(file);
      return performance.now() - started;
    });
    closeSync(file);
    const median = times.toSorted((a, b) => a - b)[PROBES >> 1] ?? 0;
    const speed = `The disk needs ${median.toFixed(1)} ms to make a write safe.`;
    return median > SLOW_FLUSH_MS
      ? watch(`${speed} That is slow: prefer an SSD to a memory card or a USB stick.`)
      : well(speed);
  } finally {
    rmSync(probeFolder, { recursive: true, force: true });
  }
}

/** The guarded clock refuses a wall clock that lags or leads by more. */
const TOLERATED_BEHIND_SECONDS = TOLERANCE_MS / 1_000;
const TOLERATED_AHEAD_SECONDS = LONGEST_ABSENCE_MS / 1_000;

/** @param heartbeat the latest time that the appliance is known to have lived through; null: it never ran */
export function checkClock(wall: Instant, heartbeat: Instant | null): Finding[] {
  return [heartbeat === null ? well(`The clock says ${wall}.`) : compareClock(wall, heartbeat), checkTimeServer()];
}

function compareClock(wall: Instant, heartbeat: Instant): Finding {
  const ahead = secondsBetween(heartbeat, wall);
  if (ahead < -TOLERATED_BEHIND_SECONDS) {
    return wrong(
      `The clock says ${wall}, but the appliance has already lived through ${heartbeat}: set the clock. Until it is right nobody is cut off, for a day.`,
    );
  }
  if (ahead > TOLERATED_AHEAD_SECONDS) {
    return wrong(
      `The clock says ${wall}, and the appliance last ran at ${heartbeat}: set the clock. If it is right, confirm it on the admin site, or let a time server set it.`,
    );
  }
  return well(`The clock says ${wall}.`);
}

function checkTimeServer(): Finding {
  const { stdout, status } = spawnSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
    encoding: 'utf8',
    timeout: 3_000,
  });
  if (status !== 0) return watch('Whether a time server sets the clock cannot be seen here: make sure that one does.');
  return stdout.trim() === 'yes'
    ? well('A time server sets the clock.')
    : watch('No time server sets the clock: `timedatectl set-ntp true`, and let the box reach one.');
}
