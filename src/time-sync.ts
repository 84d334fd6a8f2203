/**
 * Whether a time server has set this machine's clock since it was switched on. systemd-timesyncd leaves a file behind;
 * of any other (chrony, ntpd), timedatectl knows what the kernel does. And how long the machine has been asleep.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { uptime } from 'node:os';

const TIMESYNCD_FILE = '/run/systemd/timesync/synchronized';
const ASK_EVERY_MS = 30_000;

/** @returns to be asked as often as one likes; the first answer may be a "no" that the next corrects */
export function createTimeSync(file: string = TIMESYNCD_FILE): () => boolean {
  let isSynchronised = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  function askTimedatectl(): void {
    askedAt = performance.now();
    const args = ['show', '--property=NTPSynchronized', '--value'];
    execFile('timedatectl', args, { timeout: 5_000 }, (error, stdout) => {
      isSynchronised = error === null && stdout.trim() === 'yes';
    });
  }

  return () => {
    if (performance.now() - askedAt >= ASK_EVERY_MS) askTimedatectl();
    return isSynchronised || existsSync(file);
  };
}

/** Linux counts sleep into what it has been up, and not into its monotonic clock. @returns milliseconds from any moment */
export const sleptMs = (): number => uptime() * 1_000 - performance.now();
