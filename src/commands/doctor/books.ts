/** The books: can they be read, are they sound, and do the figures kept for speed say what the rows say. */

import { messageOf } from '../../domain/errors.ts';
import { type Database, isDiskFailure, isUnreachable, sqliteCode } from '../../store/database.ts';
import { changedMigration } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { recount } from '../../store/recount.ts';
import { type Finding, watch, well, wrong } from './finding.ts';

/** @param db a connection that only reads; the appliance may be writing beside it */
export function checkBooks(db: Database): Finding[] {
  try {
    // One transaction: everything is read as it stood at one moment.
    return db.transaction(() => {
      const version = checkVersion(db);
      return version.grade === 'well' ? [version, checkFile(db), ...checkFigures(db)] : [version, checkFile(db)];
    })();
  } catch (error) {
    return [unreadable(error)];
  }
}

function unreadable(error: unknown): Finding {
  const words = messageOf(error);
  if (sqliteCode(error).startsWith('SQLITE_BUSY')) {
    return watch(`The appliance alone can read the books at present (${words}): its disk takes nothing. Make room.`);
  }
  if (isDiskFailure(error) || isUnreachable(error)) {
    return wrong(`The books cannot be read (${words}): make room on the disk, and see that this user may write there.`);
  }
  return wrong(`The books cannot be read (${words}): restore a backup with \`lango restore FILE\`.`);
}

function checkVersion(db: Database): Finding {
  const done = db.pragma('user_version', { simple: true }) as number;
  const known = migrations.length;
  if (done > known) return wrong('The books were written by a newer Lango: install that version, or restore a backup.');
  if (done < known) {
    return watch(
      `The books are of an older Lango (${done} of ${known} changes made): the next start brings them up to date.`,
    );
  }
  const changed = changedMigration(db);
  if (changed !== null) {
    return wrong(
      `The books were made by another "${changed}" than the one of this program: install the Lango that made them, or restore a backup.`,
    );
  }
  return well(`The books have this version's shape (${known} changes made).`);
}

function checkFile(db: Database): Finding {
  const [first] = db.pragma('quick_check(1)') as { quick_check: string }[];
  return first?.quick_check === 'ok'
    ? well('The file of the books is sound.')
    : wrong(`The file of the books is damaged (${first?.quick_check}): restore a backup with \`lango restore FILE\`.`);
}

function checkFigures(db: Database): Finding[] {
  const problems = recount(db);
  if (problems.length === 0) return [well('Counted again, ledger, access and daily figures agree.')];
  return problems.map(problem => wrong(`${problem} Please report this, and send \`lango backup FILE\` along.`));
}
