import type { Shift, ShiftWrites } from '../domain/shifts.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const SELECT = `SELECT shifts.id, shifts.admin_id, admins.username, shifts.opened_at, shifts.closed_at, shifts.opening_float_minor,
  shifts.counted_minor, shifts.note,
  (SELECT count(*) FROM payments WHERE shift_id = shifts.id) AS sales,
  (SELECT coalesce(sum(amount_minor), 0) FROM payments WHERE shift_id = shifts.id) AS sales_minor
  FROM shifts JOIN admins ON admins.id = shifts.admin_id`;

interface Row {
  id: number;
  admin_id: number;
  username: string;
  opened_at: Instant;
  closed_at: Instant | null;
  opening_float_minor: number;
  counted_minor: number | null;
  note: string;
  sales: number;
  sales_minor: number;
}

const toShift = (row: Row): Shift => ({
  id: row.id,
  adminId: row.admin_id,
  adminName: row.username,
  openedAt: row.opened_at,
  closedAt: row.closed_at,
  openingFloatMinor: row.opening_float_minor,
  sales: row.sales,
  salesMinor: row.sales_minor,
  countedMinor: row.counted_minor,
  note: row.note,
});

export function shiftRepository(db: Database): ShiftWrites {
  const byId = db.prepare<[number], Row>(`${SELECT} WHERE shifts.id = ?`);
  const openOf = db.prepare<[number], Row>(`${SELECT} WHERE shifts.admin_id = ? AND shifts.closed_at IS NULL`);
  const list = db.prepare<[object], Row>(
    `${SELECT} WHERE @adminId IS NULL OR shifts.admin_id = @adminId ORDER BY shifts.id DESC LIMIT @limit OFFSET @offset`,
  );
  const count = db
    .prepare<[object], number>('SELECT count(*) FROM shifts WHERE @adminId IS NULL OR admin_id = @adminId')
    .pluck();
  const insert = db
    .prepare<[object], number>(
      'INSERT INTO shifts (admin_id, opened_at, opening_float_minor) VALUES (@adminId, @openedAt, @openingFloatMinor) RETURNING id',
    )
    .pluck();
  const close = db.prepare(
    'UPDATE shifts SET closed_at = @closedAt, counted_minor = @countedMinor, note = @note WHERE id = @id AND closed_at IS NULL',
  );
  const find = (row: Row | undefined) => (row === undefined ? null : toShift(row));
  return {
    byId: id => find(byId.get(id)),
    openOf: adminId => find(openOf.get(adminId)),
    list: (adminId, page) => list.all({ adminId, ...page }).map(toShift),
    count: adminId => count.get({ adminId }) as number,
    insert: shift => toShift(byId.get(insert.get(shift) as number) as Row),
    close: (id, closing) => void close.run({ id, ...closing }),
  };
}
