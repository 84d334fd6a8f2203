import type { Mac } from '../domain/mac.ts';
import type { Phone } from '../domain/phone.ts';
import type { Standing, StandingReads } from '../domain/standings.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

/** One for each registered device; without any, one that names none. */
interface Row {
  id: number;
  is_active: 0 | 1;
  max_devices: number;
  paid_until: Instant | null;
  device_id: number | null;
  mac: Mac;
}

export function standingRepository(db: Database): StandingReads {
  const byPhone = db.prepare<[string], Row>(
    `SELECT users.id, is_active, max_devices, paid_until, devices.id AS device_id, mac
     FROM users LEFT JOIN devices ON devices.user_id = users.id AND devices.removed_at IS NULL
     WHERE phone = ?`,
  );
  return {
    byPhone(phone) {
      const rows = byPhone.all(phone);
      const [first] = rows;
      if (first === undefined) return null;
      const { id, is_active, max_devices: maxDevices, paid_until: paidUntil } = first;
      const devices = new Map<Mac, number>();
      for (const row of rows) if (row.device_id !== null) devices.set(row.mac, row.device_id);
      return { user: { id, phone, isActive: is_active === 1, maxDevices, paidUntil }, devices };
    },
  };
}

/** Those asked for lately, at half a kilobyte each. */
const REMEMBERED_AT_MOST = 8_192;

export interface RememberedStandings extends StandingReads {
  /** To be called with each commit, before anybody hears of it. */
  forget(): void;
}

/** Keeps what was read in memory until the books change: the same phones log in again and again. */
export function rememberStandings(reads: StandingReads): RememberedStandings {
  const known = new Map<Phone, Standing>();
  return {
    byPhone(phone) {
      const remembered = known.get(phone);
      if (remembered !== undefined) return remembered;
      const standing = reads.byPhone(phone);
      if (standing === null) return null;
      if (known.size === REMEMBERED_AT_MOST) known.clear();
      known.set(phone, standing);
      return standing;
    },
    forget: () => known.clear(),
  };
}
