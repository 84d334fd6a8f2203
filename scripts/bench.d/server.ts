/** Starts servers in processes of their own, on the first core, and stops them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface Running {
  port: number;
  pid: number;
  /** Resident memory now, in MiB. */
  memory(): number;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');
export const ADMIN_TOKEN = 'a-configured-token-for-measuring';

/** The floor that everything is compared with: node:http, the same bytes, nothing decided. */
export function startRaw(reply: { body: string; headers?: readonly string[] }): Promise<Running> {
  return started([process.execPath, join(import.meta.dirname, 'raw-server.ts'), JSON.stringify(reply)], {});
}

/** The appliance without its writer thread: a transaction of its own for each command, on the event loop. */
export function startCommitting(dataDir: string, environment: Record<string, string>): Promise<Running> {
  return startLango(dataDir, environment, [process.execPath, join(import.meta.dirname, 'committing-server.ts')]);
}

/** The appliance, on that data folder. */
export function startLango(
  dataDir: string,
  environment: Record<string, string> = {},
  program: readonly string[] = [process.execPath, join(ROOT, 'src/main.ts')],
  onLine: (line: string) => void = () => {},
): Promise<Running> {
  // Below the ports that the load's own connections leave from.
  const port = String(20_000 + Math.floor(Math.random() * 12_000));
  return started(
    [...program, 'serve'],
    {
      LANGO_DATA_DIR: dataDir,
      LANGO_HOST: '127.0.0.1',
      LANGO_PORT: port,
      SIMPLE_ADMIN_TOKEN: ADMIN_TOKEN,
      // Loopback counts as the router's own address, whose questions are not limited; no router answers there.
      LANGO_ROUTER_HOST: '127.0.0.1',
      LANGO_ROUTER_PORT: '9',
      LANGO_ROUTER_USERNAME: 'nobody',
      // And as a proxy's, so that requests can come from many addresses.
      LANGO_TRUSTED_PROXIES: '127.0.0.1',
      ...environment,
    },
    Number(port),
    onLine,
  );
}

async function started(
  args: readonly string[],
  environment: Record<string, string>,
  known?: number,
  onLine: (line: string) => void = () => {},
): Promise<Running> {
  const child: ChildProcess = spawn('taskset', ['-c', '0', ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    const said: string[] = [];
    let isListening = false;
    child.once('exit', code => reject(new Error(`The server ended with ${code}: ${said.join('\n')}`)));
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream! }).on('line', line => {
        if (!isListening) said.push(line);
        onLine(line);
        const announced = /^listening (\d+)$/.exec(line)?.[1];
        const heard =
          announced !== undefined ? Number(announced) : line.includes('server.listening') ? known : undefined;
        if (heard === undefined) return;
        isListening = true;
        resolve(heard);
      });
    }
  });
  child.removeAllListeners('exit');
  return {
    port,
    pid: child.pid as number,
    memory: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    async stop() {
      child.kill('SIGTERM');
      const cut = setTimeout(() => child.kill('SIGKILL'), 12_000);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      clearTimeout(cut);
    },
  };
}
