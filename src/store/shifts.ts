import type { CashMovement, Shift, ShiftWrites } from '../domain/shifts.ts';
import type { Database } from './database.ts';
import { numberOf } from './statements.ts';
import { type Columns, table } from './table.ts';

const moved = (which: string) =>
  `(SELECT coalesce(sum(amount_minor), 0) FROM cash_movements WHERE shift_id = shifts.id AND ${which})`;
const sum = (what: string, rows: string) => `(SELECT coalesce(sum(${what}), 0) FROM ${rows})`;
const REFUNDS = "refunds WHERE shift_id = shifts.id AND status <> 'failed'";
const VOUCHERS = 'voucher_sales WHERE shift_id = shifts.id';
const RETURNS = 'voucher_sales WHERE return_shift_id = shifts.id';

const COLUMNS: Columns<Shift> = {
  id: 'id',
  adminId: 'admin_id',
  adminName: 'admins.username',
  openedAt: 'opened_at',
  closedAt: 'closed_at',
  openingFloatMinor: 'opening_float_minor',
  sales: '(SELECT count(*) FROM payments WHERE shift_id = shifts.id)',
  salesMinor: '(SELECT coalesce(sum(amount_minor), 0) FROM payments WHERE shift_id = shifts.id)',
  cashInMinor: moved('amount_minor > 0'),
  cashOutMinor: `-${moved('amount_minor < 0')}`,
  vouchers: sum('quantity', VOUCHERS),
  vouchersMinor: sum('quantity * price_minor', VOUCHERS),
  refunds: `(${sum('1', REFUNDS)} + ${sum('returned', RETURNS)})`,
  refundsMinor: `(${sum('amount_minor', REFUNDS)} + ${sum('returned * price_minor', RETURNS)})`,
  countedMinor: 'counted_minor',
  note: 'note',
};

const MOVEMENT_COLUMNS: Columns<CashMovement> = {
  id: 'id',
  shiftId: 'shift_id',
  amountMinor: 'amount_minor',
  reason: 'reason',
  at: 'at',
};

export function shiftRepository(db: Database): ShiftWrites {
  const shifts = table(db, 'shifts', COLUMNS, { joined: 'JOIN admins ON admins.id = shifts.admin_id' });
  const movements = table(db, 'cash_movements', MOVEMENT_COLUMNS);
  const ofAdmin = '@adminId IS NULL OR shifts.admin_id = @adminId';
  const list = shifts.select<[object]>(`WHERE ${ofAdmin} ORDER BY shifts.id DESC LIMIT @limit OFFSET @offset`);
  const count = numberOf(db, `SELECT count(*) FROM shifts WHERE ${ofAdmin}`);
  return {
    byId: shifts.select<[number]>('WHERE shifts.id = ?').get,
    openOf: shifts.select<[number | null]>('WHERE shifts.admin_id = ? AND shifts.closed_at IS NULL').get,
    list: (adminId, page) => list.all({ adminId, ...page }),
    count: adminId => count({ adminId }),
    movementsOf: movements.select<[number]>('WHERE shift_id = ? ORDER BY id').all,
    insert: shifts.add,
    close: (id, closing) => shifts.update(id, closing, 'closed_at IS NULL'),
    explain: (id, note) => shifts.update(id, { note }),
    addMovement: movements.add,
  };
}
