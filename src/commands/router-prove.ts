/** `lango router prove`: what only hardware can tell, as a table that can be sent to us. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LangoError } from '../domain/errors.ts';
import type { RouterSettings } from '../domain/ports.ts';
import { type ProofReport, prove, waitingPhones } from '../router/provisioning/prove.ts';
import { VERSION } from '../version.ts';
import { UsageError } from './command.ts';

const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * @param option that names the router
 * @param phone MAC or address of a phone that is on the Wi-Fi, and not online; null: those that could be named are listed
 */
export async function runProve(settings: RouterSettings, option: string, phone: string | null): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of INTERRUPTIONS) process.on(signal, interrupt);
  const options = { signal: interruption.signal };
  try {
    if (phone === null) {
      const phones = await waitingPhones(settings, options);
      const known = phones.map(({ mac, address }) => `  ${mac}  ${address}`);
      throw new UsageError([
        `Join the Wi-Fi with a phone of yours, do not log in, and name it: lango router prove${option} MAC`,
        known.length === 0 ? 'The hotspot knows no phone that is not online.' : 'These are there, and not online:',
        ...known,
      ]);
    }
    const report = await prove(settings, phone, options);
    const text = tableOf(report);
    process.stdout.write(text);
    const file = resolve(fileOf(report));
    writeFileSync(file, text);
    process.stdout.write(`\nWritten to ${file}: please send it to us, it names no person and no password.\n`);
  } catch (error) {
    if (!interruption.signal.aborted || error instanceof LangoError) throw error;
    process.stderr.write('Interrupted: what was put on the router has been taken away again.\n');
    process.exitCode = 1;
  } finally {
    for (const signal of INTERRUPTIONS) process.off(signal, interrupt);
  }
}

function tableOf({ version, board, proofs }: ProofReport): string {
  const width = Math.max(...proofs.map(({ question }) => question.length));
  const rows = proofs.map(({ question, answer }) => `${question.padEnd(width)}  ${answer}`);
  return [
    `RouterOS ${version} on ${board || 'a board without a name'}, asked by Lango ${VERSION}`,
    '',
    ...rows,
    '',
  ].join('\n');
}

/** `lango-prove-7.16-stable-hAP-ax-2.txt` */
function fileOf({ version, board }: ProofReport): string {
  return `lango-prove-${`${version} ${board}`.replace(/[^A-Za-z0-9.]+/g, '-').replace(/-$/, '')}.txt`;
}
