import type { Phone } from '../domain/phone.ts';
import type { Standing, StandingReads } from '../domain/standings.ts';
import type { Database } from './database.ts';
import { type Columns, flag, json, table } from './table.ts';

// Half the cost of the same as a join.
const COLUMNS: Columns<Standing['user'] & Omit<Standing, 'user'>> = {
  id: 'id',
  phone: 'phone',
  isActive: flag('is_active'),
  maxDevices: 'max_devices',
  paidUntil: 'paid_until',
  devices: json(
    `(SELECT json_group_array(json_object('id', id, 'mac', mac)) FROM devices
      WHERE user_id = users.id AND removed_at IS NULL)`,
  ),
  paymentCount: "(SELECT count(*) FROM payments WHERE user_id = users.id AND status = 'completed')",
};

/** From the books, each time. */
export function standingRepository(db: Database): StandingReads {
  const people = table(db, 'users', COLUMNS).select<[Phone]>('WHERE phone = ?');
  return {
    byPhone(phone) {
      const person = people.get(phone);
      if (person === null) return null;
      const { devices, paymentCount, ...user } = person;
      return { user, devices, paymentCount };
    },
  };
}

/** More than a hotspot has in a year; 62 MiB. */
const MOST_PEOPLE = 200_000;

export interface RememberedStandings extends StandingReads {
  /** To be called with each commit, before its commands are answered. */
  forget(phones: readonly Phone[]): void;
}

/** Keeps what was read in memory until it changes in the books: the same people log in again and again. */
export function rememberStandings(db: Database, mostPeople = MOST_PEOPLE): RememberedStandings {
  const books = standingRepository(db);
  const remembered = new Map<Phone, Standing>();
  return {
    byPhone(phone) {
      const known = remembered.get(phone);
      if (known !== undefined) return known;
      const standing = books.byPhone(phone);
      if (standing === null) return null;
      if (remembered.size === mostPeople) remembered.clear();
      remembered.set(phone, standing);
      return standing;
    },
    forget(phones) {
      for (const phone of phones) remembered.delete(phone);
    },
  };
}

/**
 * Watches a writing connection for changes of what standings are made of. Triggers do it, so that no way of writing can
 * forget it; they are the connection's own and leave no trace in the file.
 * @returns to be called in each transaction before it commits: whose standings it changes. What was undone may be
 *   among them: to read somebody's standing again does no harm.
 */
export function watchStandings(db: Database): () => Phone[] {
  const changed = new Set<Phone>();
  db.function('standing_changed', phone => {
    changed.add(phone as Phone);
    return null;
  });
  db.exec(`
    CREATE TEMP TRIGGER standing_of_user AFTER UPDATE OF phone, is_active, max_devices, paid_until ON main.users BEGIN
      SELECT standing_changed(OLD.phone), standing_changed(NEW.phone);
    END;
    CREATE TEMP TRIGGER standing_of_new_device AFTER INSERT ON main.devices BEGIN
      SELECT standing_changed(phone) FROM main.users WHERE id = NEW.user_id;
    END;
    CREATE TEMP TRIGGER standing_of_device AFTER UPDATE OF user_id, mac, removed_at ON main.devices BEGIN
      SELECT standing_changed(phone) FROM main.users WHERE id IN (OLD.user_id, NEW.user_id);
    END;
    CREATE TEMP TRIGGER standing_of_new_payment AFTER INSERT ON main.payments WHEN NEW.status = 'completed' BEGIN
      SELECT standing_changed(phone) FROM main.users WHERE id = NEW.user_id;
    END;
    CREATE TEMP TRIGGER standing_of_payment AFTER UPDATE OF status ON main.payments
    WHEN (OLD.status = 'completed') <> (NEW.status = 'completed') BEGIN
      SELECT standing_changed(phone) FROM main.users WHERE id = NEW.user_id;
    END;`);
  return () => {
    const phones = [...changed];
    changed.clear();
    return phones;
  };
}
