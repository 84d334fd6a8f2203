/** Brings a database file up to this program's shape. Forward only; `user_version` counts what has run. */
import { LangoError } from '../domain/errors.ts';
import type { Database } from './database.ts';
import { type Migration, migrations } from './migrations/index.ts';

/**
 * Each migration runs in a transaction of its own, after a copy of the file was put beside it.
 * @throws LangoError STORAGE_UNAVAILABLE the file was written by a newer program
 */
export function migrate(db: Database, steps: readonly Migration[] = migrations): void {
  const done = db.pragma('user_version', { simple: true }) as number;
  if (done > steps.length) {
    throw new LangoError(
      'STORAGE_UNAVAILABLE',
      `The database was written by a newer Lango (its version ${done}, this program knows ${steps.length}). Install that version, or restore a backup.`,
    );
  }
  if (done > 0 && done < steps.length) keepCopy(db, done);
  for (const [index, step] of steps.entries()) {
    if (index < done) continue;
    db.transaction(() => {
      db.exec(step.sql);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
  db.pragma('analysis_limit = 400');
  db.pragma('optimize = 0x10002');
}

function keepCopy(db: Database, version: number): void {
  db.prepare('VACUUM INTO ?').run(`${db.name}.before-migration-${version + 1}-${process.pid}`);
}
