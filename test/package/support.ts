import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { executablePath, root, stageFolder, type Target } from '../../build/target.ts';

/** @returns the executable's path; it is built first when it is missing or older than anything it is made from. */
export function executable(target: Target): string {
  const path = executablePath(target);
  const whole = existsSync(path) && existsSync(stageFolder(target));
  const made = whole ? statSync(path).mtimeMs : 0;
  const parts = globSync('{src,static}/**/*.*', { cwd: root }).concat(
    globSync('{build/*.ts,package*.json}', { cwd: root }),
  );
  if (parts.some(part => statSync(join(root, part)).mtimeMs > made)) {
    execFileSync(process.execPath, [join(root, 'build/build.ts'), '--target', target], { encoding: 'utf8' });
  }
  return path;
}

export function temporaryFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lango-package-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Served {
  url: string;
  process: ChildProcess;
  /** From the start of the process to the first 200 of `/api/health/`. */
  startMs: number;
  /** Time of the processor that this took, in milliseconds: unlike `startMs`, the same beside other programs. */
  startWorkMs: number;
  /** Resident memory now, in bytes. */
  rss(): number;
}

/** Starts a program that serves on that port of 127.0.0.1, and waits until it is well. */
export async function serve(
  t: Pick<TestContext, 'after'>,
  port: number,
  [program, ...args]: readonly [string, ...string[]],
  options: { cwd: string; env: Record<string, string> },
): Promise<Served> {
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    log += text;
  });
  t.after(() => stop(child));
  while (!(await isWell(url))) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() - started > 240_000) {
      throw new Error(`The program does not serve (exit code ${child.exitCode}):\n${log}`);
    }
    await delay(5);
  }
  const startMs = performance.now() - started;
  const startWorkMs = workOf(child.pid as number);
  const rss = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1_024;
  return { url, process: child, startMs, startWorkMs, rss };
}

/** `man proc_pid_stat`: utime and stime, in hundredths of a second; the name before them may hold spaces. */
function workOf(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

async function isWell(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health/`)).status === 200;
  } catch {
    return false;
  }
}

/** Ends a program in order. @returns its exit code; null when it had to be killed after 60 s */
export async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await exited;
  clearTimeout(killer);
  return child.exitCode;
}
