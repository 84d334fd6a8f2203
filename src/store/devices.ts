import type { Device, DeviceWrites } from '../domain/devices.ts';
import type { Mac } from '../domain/mac.ts';
import type { Database } from './database.ts';
import { changes, exists, numberOf } from './statements.ts';
import { type Columns, flag, table } from './table.ts';

const COLUMNS: Columns<Device> = {
  id: 'id',
  userId: 'user_id',
  mac: 'mac',
  slot: 'slot',
  name: 'device_name',
  ip: 'ip_address',
  firstConnected: 'first_connected',
  lastSeen: 'last_seen',
  isProven: flag('is_proven'),
  removedAt: 'removed_at',
};

export function deviceRepository(db: Database): DeviceWrites {
  const devices = table<Device, { hasMoved: boolean }>(db, 'devices', COLUMNS, {
    hidden: { hasMoved: flag('has_moved') },
  });
  const markPaid = db.prepare('INSERT OR IGNORE INTO paid_devices (user_id, mac) VALUES (?, ?)');
  const forgetPaid = db.prepare<[object]>(
    'DELETE FROM paid_devices WHERE user_id = @userId AND (@mac IS NULL OR mac = @mac)',
  );
  const touch = db.prepare(
    `UPDATE devices SET last_seen = max(last_seen, @at), ip_address = coalesce(@ip, ip_address)
     WHERE id = @id AND removed_at IS NULL`,
  );
  return {
    ofUser: devices.select<[number]>('WHERE user_id = ? AND removed_at IS NULL ORDER BY id').all,
    byMac: devices.select<[Mac]>('WHERE mac = ? AND removed_at IS NULL').get,
    countOfUser: numberOf(db, 'SELECT count(*) FROM devices WHERE user_id = ? AND removed_at IS NULL'),
    insert: devices.add,
    remove: (id, now) => devices.update(id, { removedAt: now }, 'removed_at IS NULL'),
    moveAway: (id, now) => devices.update(id, { removedAt: now, hasMoved: true }),
    countMoves: numberOf(db, 'SELECT count(*) FROM devices WHERE mac = ? AND has_moved = 1 AND removed_at > ?'),
    prove: id => devices.update(id, { isProven: true }),
    hasPaid: exists(db, 'SELECT 1 FROM paid_devices WHERE user_id = ? AND mac = ?'),
    markPaid: (userId, mac) => void markPaid.run(userId, mac),
    forgetPaid: (userId, mac) => void forgetPaid.run({ userId, mac }),
    rename: (id, name) => devices.update(id, { name }),
    touch: (id, ip, at) => void touch.run({ id, ip, at }),
    pruneBefore: changes(
      db,
      'DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE removed_at < ? ORDER BY removed_at LIMIT ?)',
    ),
  };
}
