/**
 * The appliance without its writer thread: each command runs on the event loop, in a `synchronous=FULL` transaction of
 * its own, before its request is answered. All else is the same, so that the ratio tells what the writer is worth.
 */
import { join } from 'node:path';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Actor } from '../../src/domain/audit.ts';
import { type Commands, runCommand } from '../../src/domain/commands.ts';
import type { Commit } from '../../src/domain/transaction.ts';
import { createLog } from '../../src/log.ts';
import { openForReading, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { readsOf, transactionsOf } from '../../src/store/repositories.ts';
import { rememberStandings, watchStandings } from '../../src/store/standings.ts';
import { DATABASE_FILE, type Store, type StoreOptions } from '../../src/store/store.ts';

async function openInline({ dataDir, policy, now }: StoreOptions): Promise<Store> {
  const file = join(dataDir, DATABASE_FILE);
  const db = openForWriting(file);
  migrate(db);
  const transaction = transactionsOf(db, policy);
  const changedStandings = watchStandings(db);
  const reader = openForReading(file);
  const standings = rememberStandings(reader);
  let revision = 0;
  const run = db.transaction((name: keyof Commands, input: unknown, actor: Actor | null) =>
    runCommand(transaction(now(), actor), name, input),
  );
  const commit = (async (name: keyof Commands, input: unknown, actor: Actor | null = null) => {
    const value = run.immediate(name, input, actor);
    standings.forget(changedStandings());
    revision += 1;
    return value;
  }) as Commit;
  return {
    file,
    reads: { ...readsOf(reader), standings },
    revision: () => revision,
    commit,
    isWorking: () => true,
    isSaving: () => true,
    optimize() {},
    async close() {
      reader.close();
      db.close();
    },
  };
}

const app = await startApp(readConfig(process.env), { log: createLog('info'), openStore: openInline });
process.once('SIGTERM', () => void app.close());
