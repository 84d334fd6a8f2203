/** Counts the books again: what is kept for speed must say what the rows themselves say. Changes nothing. */

import { type Grant, paidUntilFromLedger } from '../domain/access.ts';
import { many } from '../domain/plural.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';
import { sizeOf } from './migrations/007-bounded-notifications.ts';

/** Everything that was sold or given back, as `sales_changes` takes it. */
const CHANGES = `
  SELECT completed_day AS day, completed_hour AS hour, bundle_id, method, coalesce(sold_by, '') AS seller, 1 AS sales,
    amount_minor AS gross, 0 AS refunds, 0 AS refunded FROM payments WHERE status = 'completed'
  UNION ALL SELECT refunds.created_day, created_hour, bundle_id, method, coalesce(sold_by, ''), 0, 0, 1, refunds.amount_minor
    FROM refunds JOIN payments ON payments.id = payment_id WHERE refunds.status <> 'failed'
  UNION ALL SELECT sold_day, sold_hour, bundle_id, 'voucher', sold_by, quantity, quantity * price_minor, 0, 0 FROM voucher_sales
  UNION ALL SELECT returned_day, returned_hour, bundle_id, 'voucher', sold_by, 0, 0, returned, returned * price_minor
    FROM voucher_sales WHERE returned > 0`;
const SUMS = 'sum(sales), sum(gross), sum(refunds), sum(refunded)';

/** Each kept table and the query that counts it again, both without rows of zero. */
const KEPT: readonly { name: string; kept: string; counted: string }[] = [
  {
    name: 'daily_sales',
    kept: 'SELECT * FROM daily_sales WHERE sales <> 0 OR refunds <> 0',
    counted: `SELECT day, bundle_id, method, seller, ${SUMS} FROM (${CHANGES}) GROUP BY 1, 2, 3, 4`,
  },
  {
    name: 'hourly_sales',
    kept: 'SELECT * FROM hourly_sales WHERE sales <> 0 OR refunds <> 0',
    counted: `SELECT day, hour, ${SUMS} FROM (${CHANGES}) WHERE hour IS NOT NULL GROUP BY 1, 2`,
  },
  {
    name: 'payers_by_day',
    kept: 'SELECT day, bundle_id, payers FROM payers_by_day',
    counted: `SELECT completed_day, 0, count(DISTINCT user_id) FROM payments WHERE status = 'completed' GROUP BY 1
      UNION ALL SELECT completed_day, bundle_id, count(DISTINCT user_id) FROM payments WHERE status = 'completed' GROUP BY 1, 2`,
  },
  {
    name: 'daily_orders',
    kept: 'SELECT day, bundle_id, method, status, orders, amount_minor FROM daily_orders WHERE orders <> 0',
    counted:
      'SELECT created_day, bundle_id, method, status, count(*), sum(amount_minor) FROM payments GROUP BY 1, 2, 3, 4',
  },
  {
    name: 'webhook_log_size',
    kept: 'SELECT is_proven, rows, bytes FROM webhook_log_size WHERE rows <> 0',
    counted: `SELECT is_proven, count(*), sum(${sizeOf('webhook_logs')}) FROM webhook_logs GROUP BY is_proven`,
  },
  {
    name: 'voucher_batches',
    kept: 'SELECT id, used, revoked, sold, left_stock, used_unsold FROM voucher_batches',
    counted: `SELECT voucher_batches.id, count(used_at), count(vouchers.revoked_at), count(sale_id),
        count(coalesce(sale_id, used_at, vouchers.revoked_at)), count(*) FILTER (WHERE used_at IS NOT NULL AND sale_id IS NULL)
      FROM voucher_batches LEFT JOIN vouchers ON batch_id = voucher_batches.id GROUP BY voucher_batches.id`,
  },
];

/** @returns one sentence for each figure that is wrong; none when the books agree with themselves */
export function recount(db: Database): string[] {
  const wrongFigures = KEPT.flatMap(({ name, kept, counted }) => {
    const rows = db
      .prepare<[], number>(
        `SELECT count(*) FROM (SELECT * FROM (SELECT * FROM (${kept}) EXCEPT SELECT * FROM (${counted}))
           UNION ALL SELECT * FROM (SELECT * FROM (${counted}) EXCEPT SELECT * FROM (${kept})))`,
      )
      .pluck()
      .get() as number;
    return rows === 0 ? [] : [`${name} does not say what the rows themselves say (rows that differ: ${rows}).`];
  });
  const wrongUsers = countWrongUsers(db);
  return wrongUsers === 0
    ? wrongFigures
    : [...wrongFigures, `paid_until of ${many(wrongUsers, 'user')} is not what the grants ledger says.`];
}

interface Person {
  paidUntil: Instant | null;
  /** JSON. */
  grants: string;
}

function countWrongUsers(db: Database): number {
  const people = db.prepare<[], Person>(
    `SELECT paid_until AS paidUntil, (SELECT json_group_array(json_object('seconds', seconds, 'at', at) ORDER BY id)
       FROM grants WHERE user_id = users.id) AS grants FROM users`,
  );
  let wrong = 0;
  for (const { paidUntil, grants } of people.iterate()) {
    if (paidUntilFromLedger(JSON.parse(grants) as Pick<Grant, 'seconds' | 'at'>[]) !== paidUntil) wrong += 1;
  }
  return wrong;
}
