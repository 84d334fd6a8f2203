/** wrk, from Debian's packages, as the load: written in C, it costs its core less than ours does. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Compared } from './figures.ts';

const MS = { us: 0.001, ms: 1, s: 1_000 };

/** Logins over 32 connections, on the core that this process is on. */
export async function wrkLogins(port: number, users: number, active: number, seconds: number): Promise<Compared> {
  const script = join(import.meta.dirname, 'logins.lua');
  const args = ['-t1', '-c32', `-d${seconds}s`, '--latency', '-s', script, `http://127.0.0.1:${port}`];
  const { stdout } = await promisify(execFile)('wrk', [...args, '--', String(users), String(active)]);
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  const [, p99, unit] = /^\s+99%\s+([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0);
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  // A tenth of those who ask have not paid; more refusals are not the ones that are meant to be measured.
  if (unit === undefined || !(perSecond > 0) || refused > requests * 0.12 || stdout.includes('Socket errors')) {
    throw new Error(`wrk did not measure logins: ${stdout}`);
  }
  return { perSecond, p99: Number(p99) * MS[unit as keyof typeof MS] };
}
