/**
 * `lango doctor`: looks at everything the appliance depends on, and says in plain sentences what is wrong and what to
 * do. It changes nothing, and works while the appliance runs. Ends with 1 when anything is wrong.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { messageOf } from '../domain/errors.ts';
import { routersOf } from '../domain/routers.ts';
import { systemClock } from '../domain/time.ts';
import type { Reads } from '../domain/transaction.ts';
import { type Database, openForReading } from '../store/database.ts';
import { refuseIfBooksAreMissing } from '../store/folder.ts';
import { readsOf } from '../store/repositories.ts';
import { booksFile } from './books.ts';
import { print, takesNoArguments } from './command.ts';
import { checkBooks } from './doctor/books.ts';
import { type Finding, watch, well, wrong } from './doctor/finding.ts';
import { checkClock, checkDisk } from './doctor/machine.ts';
import { checkAppliance, checkMessages, checkNotifications, checkProvider, checkRouter } from './doctor/services.ts';

const MARKS = { well: '✓', watch: '!', wrong: '✗' } as const;

export async function run(args: readonly string[]): Promise<void> {
  takesNoArguments(args);
  const findings = await examine();
  const count = (grade: Finding['grade']) => findings.filter(finding => finding.grade === grade).length;
  print('');
  print(summary(count('wrong'), count('watch')));
  if (count('wrong') > 0) process.exitCode = 1;
}

function summary(problems: number, hints: number): string {
  if (problems > 0) return `${problems === 1 ? 'One thing is' : `${problems} things are`} wrong: see ✗.`;
  return hints === 0 ? 'All is well.' : 'Nothing is wrong. What could be better: see !.';
}

/** Tells each area as it has been looked at. */
async function examine(): Promise<Finding[]> {
  const all: Finding[] = [];
  const report = (area: string, findings: readonly Finding[]) => {
    tell(area, findings);
    all.push(...findings);
  };
  const { config, problems } = configured();
  report('Configuration', problems);
  if (config === null) return all;
  const file = booksFile(config);
  const folder = dirname(file);
  report('Appliance', await checkAppliance(config));
  report(
    'Disk',
    existsSync(folder) ? checkDisk(folder) : [watch(`The data folder ${folder} is made at the first start.`)],
  );

  using books = openBooks(file);
  const reads = books.reads;
  report('Clock', checkClock(systemClock.now(), reads?.settings.get('heartbeat')?.at ?? null));
  report('Books', books.findings);
  const routers = routersOf(reads, config.router);
  for (const router of routers) {
    report(routers.length > 1 ? `Router: ${router.name}` : 'Router', await checkRouter(config, router));
  }
  report('Payments', await checkProvider(config));
  report('Notifications', checkNotifications(config, reads));
  report('Messages', checkMessages(config, reads));
  return all;
}

/** @returns null: with this configuration nothing else can be looked at */
function configured(): { config: Config | null; problems: Finding[] } {
  try {
    return { config: readConfig(process.env), problems: [well('Every variable can be read.')] };
  } catch (error) {
    if (error instanceof ConfigError) return { config: null, problems: error.problems.map(wrong) };
    throw error;
  }
}

interface Books extends Disposable {
  findings: readonly Finding[];
  /** null: there are no books, or not in a shape that this program can read. */
  reads: Reads | null;
}

function openBooks(file: string): Books {
  const unread = (finding: Finding): Books => ({ findings: [finding], reads: null, [Symbol.dispose]() {} });
  try {
    if (existsSync(dirname(file))) refuseIfBooksAreMissing(file);
  } catch (error) {
    return unread(wrong(messageOf(error)));
  }
  if (!existsSync(file)) return unread(watch(`There are no books yet: ${file} is made at the first start.`));
  let db: Database;
  try {
    db = openForReading(file);
  } catch (error) {
    return unread(wrong(`The books cannot be opened (${messageOf(error)}): may this user read ${file}?`));
  }
  return { findings: checkBooks(db), reads: readable(db), [Symbol.dispose]: () => void db.close() };
}

/** Books of another shape cannot be asked; damaged ones perhaps not either. */
function readable(db: Database): Reads | null {
  try {
    return readsOf(db);
  } catch {
    return null;
  }
}

function tell(area: string, findings: readonly Finding[]): void {
  print(area);
  for (const { grade, text } of findings) print(`  ${MARKS[grade]} ${text}`);
}
