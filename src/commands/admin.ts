/**
 * `lango admin add|password|list|disable`: admin accounts, for whoever sits at the appliance itself. It works beside
 * a running appliance, on the same file. A password is typed or comes on standard input, never as an argument:
 * arguments are in the shell's history and in the list of processes.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { workerFile } from '../assets.ts';
import { readConfig } from '../config.ts';
import { ROLES } from '../contract/auth.ts';
import { SHORTEST_PASSWORD, USERNAME_RULE } from '../contract/fields.ts';
import { type Admin, isUsername, type Role } from '../domain/admins.ts';
import { LangoError } from '../domain/errors.ts';
import { systemClock } from '../domain/time.ts';
import { createLog } from '../log.ts';
import { createPasswords } from '../passwords.ts';
import { openStore, type Store } from '../store/store.ts';
import { booksFile } from './books.ts';
import { onlyArgument, print, takesNoArguments, UsageError } from './command.ts';

const ACTOR = { adminId: null, name: 'command line', ip: null };
const USAGE = [
  'lango admin list',
  'lango admin add NAME [owner|staff|cashier]',
  'lango admin password NAME',
  'lango admin disable NAME',
];

export async function run(args: readonly string[]): Promise<void> {
  const [action = '', ...rest] = args;
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined) throw new UsageError(['Say what to do:', ...USAGE]);
  const steps = act(rest);
  const store = await openBooks();
  try {
    await steps(store);
  } catch (error) {
    throw error instanceof LangoError && error.code !== 'INTERNAL' ? new UsageError([error.message]) : error;
  } finally {
    await store.close();
  }
}

type Steps = (store: Store) => Promise<void>;

const ACTIONS: Readonly<Record<string, (args: readonly string[]) => Steps>> = {
  list(args) {
    takesNoArguments(args);
    return async ({ reads }) => {
      for (const admin of reads.admins.list()) print(lineOf(admin));
    };
  },

  add(args) {
    const [name, role = 'staff', ...more] = args;
    if (name === undefined || more.length > 0 || !isRole(role)) throw new UsageError(USAGE);
    if (!isUsername(name)) throw new UsageError([`"${name}" cannot be a user name. ${USERNAME_RULE}`]);
    return async ({ commit }) => {
      const passwordHash = await createPasswords().hash(await newPassword(name));
      const account = { username: name, passwordHash, email: '', role, onlyFirst: false };
      await commit('createAdmin', account, ACTOR);
      print(`${name} may log in now, as ${role}.`);
    };
  },

  password(args) {
    const name = onlyArgument(args, USAGE);
    return async store => {
      const { id, hasTotp } = named(store, name);
      const passwordHash = await createPasswords().hash(await newPassword(name));
      await store.commit('setAdminPassword', { adminId: id, passwordHash }, ACTOR);
      // Who forgot the password may have lost the phone as well, and nobody could help them from the admin site.
      if (hasTotp) await store.commit('disableTotp', { adminId: id, code: null }, ACTOR);
      print(`${name} has a new password, and is logged out everywhere.${hasTotp ? ' The second factor is off.' : ''}`);
    };
  },

  disable(args) {
    const name = onlyArgument(args, USAGE);
    return async store => {
      const change = { adminId: named(store, name).id, change: { isActive: false } };
      await store.commit('updateAdmin', change, ACTOR);
      print(`${name} cannot log in any more.`);
    };
  },
};

const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word);

/** @throws UsageError nobody has that name */
function named({ reads }: Store, name: string): Admin {
  const admin = reads.admins.byUsername(name);
  if (admin === null) throw new UsageError([`There is no admin named ${name}. \`lango admin list\` names them all.`]);
  return admin;
}

const lineOf = ({ username, role, isActive, hasTotp, lastLoginAt }: Admin): string =>
  [
    username.padEnd(20),
    role.padEnd(8),
    isActive ? 'active  ' : 'disabled',
    hasTotp ? 'second factor' : '             ',
    lastLoginAt === null ? 'never logged in' : `last login ${lastLoginAt}`,
  ].join('  ');

/** Its own writer: SQLite lets one process at a time write, and makes the other wait. */
async function openBooks(): Promise<Store> {
  const dataDir = process.env['LANGO_DATA_DIR'];
  // Whatever else is configured is of no account here, and the one who asks may not be able to read all of it.
  const config = readConfig(dataDir === undefined ? {} : { LANGO_DATA_DIR: dataDir });
  const file = booksFile(config);
  if (!existsSync(file)) {
    throw new UsageError([`There are no books in ${dirname(file)}. Set LANGO_DATA_DIR, or start the appliance once.`]);
  }
  return openStore({
    dataDir: dirname(file),
    policy: config.policy,
    workerFile: workerFile('store/writer-worker'),
    now: systemClock.now,
    log: createLog('warn'),
    isBeside: true,
  });
}

/** @throws UsageError it is too short, or was typed in two ways */
async function newPassword(name: string): Promise<string> {
  const isTyped = process.stdin.isTTY;
  const password = isTyped ? await typed(`New password for ${name}: `) : firstLine(await text(process.stdin));
  if (password.length < SHORTEST_PASSWORD) {
    throw new UsageError([`The password is too short; give at least ${SHORTEST_PASSWORD} characters.`]);
  }
  if (isTyped && (await typed('The same again: ')) !== password) {
    throw new UsageError(['These were two different passwords; nothing was changed.']);
  }
  return password;
}

const firstLine = (input: string): string => input.split(/\r?\n/, 1)[0] ?? '';

/** Reads one line from the terminal without showing it. */
function typed(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  return new Promise((answer, reject) => {
    let line = '';
    const finish = (settle: () => void) => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      settle();
    };
    const take = (typedText: string) => {
      for (const letter of typedText) {
        if (letter === '\r' || letter === '\n') return finish(() => answer(line));
        if (letter === CTRL_C || letter === CTRL_D) {
          return finish(() => reject(new UsageError(['Nothing was changed.'])));
        }
        line = letter === BACKSPACE || letter === DELETE ? line.slice(0, -1) : line + letter;
      }
    };
    stdin.on('data', take);
  });
}

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACE = '\b';
const DELETE = '\u007f';
