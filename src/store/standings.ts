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
  payment_count: number;
  /** JSON: `[mac, id, last_seen]` of each. */
  devices: string;
}

export interface Found {
  user: Standing['user'];
  paymentCount: number;
  devices: readonly [mac: Mac, id: number, lastSeen: Instant][];
}

/** From the books, each time. */
export function standingRepository(db: Database): StandingReads {
  const find = standingFinder(db);
  return {
    byPhone(phone) {
      const found = find(phone);
      if (found === null) return null;
      const { user, paymentCount, devices } = found;
      return {
        user,
        deviceCount: devices.length,
        paymentCount,
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
       (SELECT count(*) FROM payments WHERE user_id = users.id AND status = 'completed') AS payment_count,
       (SELECT json_group_array(json_array(mac, id, last_seen)) FROM devices
        WHERE user_id = users.id AND removed_at IS NULL) AS devices
     FROM users WHERE phone = ?`,
  );
  return phone => {
    const row = byPhone.get(phone);
    if (row === undefined) return null;
    const { id, is_active, max_devices: maxDevices, paid_until: paidUntil, payment_count: paymentCount } = row;
    const user = { id, phone, isActive: is_active === 1, maxDevices, paidUntil };
    return { user, paymentCount, devices: JSON.parse(row.devices) as Found['devices'] };
  };
}

/**
 * Watches a writing connection for changes of what standings are made of, `last_seen` excepted. Triggers do it, so
 * that no way of writing can forget it; they are the connection's own and leave no trace in the file.
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
