import type { Device, DeviceWrites } from '../domain/devices.ts';
import type { Mac } from '../domain/mac.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const COLUMNS = 'id, user_id, mac, slot, device_name, ip_address, first_connected, last_seen, is_proven, removed_at';

interface Row {
  id: number;
  user_id: number;
  mac: Mac;
  slot: number;
  device_name: string;
  ip_address: string | null;
  first_connected: Instant;
  last_seen: Instant;
  is_proven: 0 | 1;
  removed_at: Instant | null;
}

function toDevice(row: Row): Device {
  return {
    id: row.id,
    userId: row.user_id,
    mac: row.mac,
    slot: row.slot,
    name: row.device_name,
    ip: row.ip_address,
    firstConnected: row.first_connected,
    lastSeen: row.last_seen,
    isProven: row.is_proven === 1,
    removedAt: row.removed_at,
  };
}

export function deviceRepository(db: Database): DeviceWrites {
  const ofUser = db.prepare<[number], Row>(
    `SELECT ${COLUMNS} FROM devices WHERE user_id = ? AND removed_at IS NULL ORDER BY id`,
  );
  const historyOfUser = db.prepare<[number], Row>(
    `SELECT ${COLUMNS} FROM devices WHERE user_id = ? ORDER BY id DESC LIMIT 200`,
  );
  const byMac = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM devices WHERE mac = ? AND removed_at IS NULL`);
  const count = db
    .prepare<[number], number>('SELECT count(*) FROM devices WHERE user_id = ? AND removed_at IS NULL')
    .pluck();
  const insert = db.prepare<[object], Row>(
    `INSERT INTO devices (user_id, mac, slot, device_name, ip_address, first_connected, last_seen, is_proven)
     VALUES (@userId, @mac, @slot, @name, @ip, @firstConnected, @lastSeen, @proven) RETURNING ${COLUMNS}`,
  );
  const remove = db.prepare('UPDATE devices SET removed_at = @now WHERE id = @id AND removed_at IS NULL');
  const moveAway = db.prepare('UPDATE devices SET removed_at = @now, has_moved = 1 WHERE id = @id');
  const moves = db
    .prepare<[object], number>(
      'SELECT count(*) FROM devices WHERE mac = @mac AND has_moved = 1 AND removed_at > @since',
    )
    .pluck();
  const prove = db.prepare('UPDATE devices SET is_proven = 1 WHERE id = ?');
  const paid = db.prepare<[object], 1>('SELECT 1 FROM paid_devices WHERE user_id = @userId AND mac = @mac').pluck();
  const notePaid = db.prepare('INSERT OR IGNORE INTO paid_devices (user_id, mac) VALUES (@userId, @mac)');
  const forgetPaid = db.prepare('DELETE FROM paid_devices WHERE user_id = @userId AND mac = @mac');
  const forgetAllPaid = db.prepare('DELETE FROM paid_devices WHERE user_id = ?');
  const rename = db.prepare('UPDATE devices SET device_name = @name WHERE id = @id');
  const touch = db.prepare(
    `UPDATE devices SET last_seen = max(last_seen, @at), ip_address = coalesce(@ip, ip_address)
     WHERE id = @id AND removed_at IS NULL`,
  );
  const prune = db.prepare(
    'DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE removed_at < ? ORDER BY removed_at LIMIT ?)',
  );

  return {
    ofUser: userId => ofUser.all(userId).map(toDevice),
    historyOfUser: userId => historyOfUser.all(userId).map(toDevice),
    byMac(mac) {
      const row = byMac.get(mac);
      return row === undefined ? null : toDevice(row);
    },
    countOfUser: userId => count.get(userId) as number,
    insert: ({ isProven, ...device }) => toDevice(insert.get({ ...device, proven: Number(isProven) }) as Row),
    remove: (id, now) => void remove.run({ id, now }),
    moveAway: (id, now) => void moveAway.run({ id, now }),
    countMoves: (mac, since) => moves.get({ mac, since }) as number,
    prove: id => void prove.run(id),
    hasPaid: (userId, mac) => paid.get({ userId, mac }) === 1,
    notePaid: (userId, mac) => void notePaid.run({ userId, mac }),
    forgetPaid: (userId, mac) => void (mac === null ? forgetAllPaid.run(userId) : forgetPaid.run({ userId, mac })),
    rename: (id, name) => void rename.run({ id, name }),
    touch: (id, ip, at) => void touch.run({ id, ip, at }),
    pruneBefore: (at, limit) => prune.run(at, limit).changes,
  };
}
