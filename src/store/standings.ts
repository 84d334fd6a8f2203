import type { Mac } from '../domain/mac.ts';
import type { Phone } from '../domain/phone.ts';
import { isNews, type Standing, type StandingReads } from '../domain/standings.ts';
import { type Instant, toEpochMs } from '../domain/time.ts';
import type { Database } from './database.ts';

interface Row {
  id: number;
  is_active: 0 | 1;
  max_devices: number;
  paid_until: Instant | null;
  /** JSON: `[mac, id, last_seen]` of each. */
  devices: string;
}

export interface Found {
  user: Standing['user'];
  devices: readonly [mac: Mac, id: number, lastSeen: Instant][];
}

/** From the books, each time. */
export function standingRepository(db: Database): StandingReads {
  const find = standingFinder(db);
  return {
    byPhone(phone) {
      const found = find(phone);
      if (found === null) return null;
      const { user, devices } = found;
      return {
        user,
        deviceCount: devices.length,
        see(mac, now) {
          const device = devices.find(one => one[0] === mac);
          if (device === undefined) return null;
          const [, id, lastSeen] = device;
          return { id, isNews: isNews(toEpochMs(lastSeen), toEpochMs(now)) };
        },
      };
    },
  };
}

export function standingFinder(db: Database): (phone: Phone) => Found | null {
  // Half the cost of the same as a join.
  const byPhone = db.prepare<[string], Row>(
    `SELECT id, is_active, max_devices, paid_until,
       (SELECT json_group_array(json_array(mac, id, last_seen)) FROM devices
        WHERE user_id = users.id AND removed_at IS NULL) AS devices
     FROM users WHERE phone = ?`,
  );
  return phone => {
    const row = byPhone.get(phone);
    if (row === undefined) return null;
    const { id, is_active, max_devices: maxDevices, paid_until: paidUntil } = row;
    const user = { id, phone, isActive: is_active === 1, maxDevices, paidUntil };
    return { user, devices: JSON.parse(row.devices) as Found['devices'] };
  };
}

/**
 * Watches a writing connection for changes of what standings are made of, `last_seen` excepted. Triggers do it, so
 * that no way of writing can forget it; they are the connection's own and leave no trace in the file.
 * @returns to be called in each transaction before it commits: whose standings it changes
 */
export function watchStandings(db: Database): () => Phone[] {
  db.exec(`
    CREATE TEMP TABLE changed_standings (phone TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TRIGGER standing_of_user AFTER UPDATE OF phone, is_active, max_devices, paid_until ON main.users BEGIN
      INSERT OR IGNORE INTO changed_standings VALUES (OLD.phone), (NEW.phone);
    END;
    CREATE TEMP TRIGGER standing_of_new_device AFTER INSERT ON main.devices BEGIN
      INSERT OR IGNORE INTO changed_standings SELECT phone FROM main.users WHERE id = NEW.user_id;
    END;
    CREATE TEMP TRIGGER standing_of_device AFTER UPDATE OF user_id, mac, removed_at ON main.devices BEGIN
      INSERT OR IGNORE INTO changed_standings SELECT phone FROM main.users WHERE id IN (OLD.user_id, NEW.user_id);
    END;`);
  const changed = db.prepare<[], Phone>('SELECT phone FROM changed_standings').pluck();
  const forget = db.prepare('DELETE FROM changed_standings');
  return () => {
    const phones = changed.all();
    if (phones.length > 0) forget.run();
    return phones;
  };
}
