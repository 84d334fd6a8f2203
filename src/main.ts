/** The command line: finds the command, loads it, and turns how it ended into an exit code. */
import { inspect } from 'node:util';
import { type CommandModule, print, UsageError } from './commands/command.ts';
import { LangoError } from './domain/errors.ts';
import { VERSION } from './version.ts';

interface Entry {
  /** What may follow the name. */
  usage?: string;
  summary: string;
  details?: string;
  load(): Promise<CommandModule>;
}

const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: 'run the appliance (also with no command)',
    details: 'Reads its configuration from the environment. SIGTERM or SIGINT ends it in order.',
    load: () => import('./commands/serve.ts'),
  },
  admin: {
    usage: 'add|password|list|disable',
    summary: 'admin accounts, for whoever sits at the appliance',
    details: [
      '  lango admin list',
      '  lango admin add NAME [owner|staff|cashier]   (staff unless said otherwise)',
      '  lango admin password NAME                    (ends all sessions; a second factor is switched off)',
      '  lango admin disable NAME',
      'The password is asked for, or read from standard input. The appliance may be running.',
    ].join('\n'),
    load: () => import('./commands/admin.ts'),
  },
  backup: {
    usage: 'FILE',
    summary: 'write a verified copy of the books, while the appliance runs',
    details: 'What is in FILE already stays until the copy is whole and on the disk.',
    load: () => import('./commands/backup.ts'),
  },
  restore: {
    usage: 'FILE',
    summary: 'put a backup in the place of the books',
    details: 'The appliance must be stopped. The replaced file is kept beside the new one.',
    load: () => import('./commands/restore.ts'),
  },
  router: {
    usage: 'ACTION',
    summary: 'what the router lacks, and how it gets it',
    details: [
      'check    what the router lacks; ends with 1 when that is anything',
      'plan     the commands that would mend it, and why',
      'apply    runs them; what is yours on the router stays as it is',
      'script   the whole set-up as a script to paste into the router, which need not be reachable; it holds the',
      "         password of Lango's account there",
      'remove   takes back all that Lango put there, people too; stop the appliance first',
      'prove    asks the router what only hardware can tell, with a phone of yours: lango router prove MAC',
      'It is the default router, or the one of the list that --router NAME_OR_ID says.',
      'With --interface NAME, a hotspot is set up on that interface where the router has none.',
    ].join('\n'),
    load: () => import('./commands/router.ts'),
  },
  doctor: {
    summary: 'look at everything, and say what is wrong and what to do',
    details: 'Changes nothing, and may be run beside the appliance. Ends with 1 when anything is wrong.',
    load: () => import('./commands/doctor.ts'),
  },
  version: {
    summary: 'print the version',
    load: async () => ({ run: async () => print(VERSION) }),
  },
  help: {
    usage: '[command]',
    summary: 'print this, or more about one command',
    load: async () => ({ run: async args => print(help(args[0])) }),
  },
};

const aliases: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' };

async function main(argv: readonly string[]): Promise<void> {
  const [name = 'serve', ...args] = takeEnvFile(argv);
  const command = await find(aliases[name] ?? name).load();
  await command.run(args);
}

/**
 * Reads the file that `--env-file` names; variables that are already set win. Node looks for the same option
 * before we run, and ends the program with its own message and code 9 when there is no such file.
 * @returns the other arguments
 */
function takeEnvFile(argv: readonly string[]): string[] {
  const at = argv.indexOf('--env-file');
  if (at === -1) return [...argv];
  const file = argv[at + 1];
  if (file === undefined) throw new UsageError(['--env-file needs the name of a file.']);
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new UsageError([`--env-file ${file} cannot be read: ${(error as Error).message}`]);
  }
  return argv.toSpliced(at, 2);
}

function find(name: string): Entry {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError([`No such command: ${name}. \`lango help\` lists them.`]);
  return command;
}

function help(name: string | undefined): string {
  if (name !== undefined) {
    const { usage = '', summary, details } = find(name);
    return [`lango ${name} ${usage}`.trim(), summary, details].filter(line => line !== undefined).join('\n');
  }
  const rows = Object.entries(commands).map(
    ([command, { usage = '', summary }]) => `  ${`${command} ${usage}`.padEnd(31)} ${summary}`,
  );
  return [
    'lango sells Wi-Fi: captive portal, payments, vouchers and a RouterOS hotspot.',
    '',
    'lango [command] [--env-file FILE]',
    ...rows,
  ].join('\n');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${isUsage || error instanceof LangoError ? error.message : inspect(error)}\n`);
  // Whatever the command has left running, such as the writer thread, must not keep a failed start alive.
  process.exit(isUsage ? 2 : 1);
});
