/** Every migration in the order it runs. Forward only: an entry that has shipped never changes. */
import { books } from './001-books.ts';
import { adminLists } from './002-admin-lists.ts';
import { dashboard } from './003-dashboard.ts';
import { sms } from './004-sms.ts';
import { leanRedemption } from './005-lean-redemption.ts';
import { ordersByMethod } from './006-orders-by-method.ts';
import { boundedNotifications } from './007-bounded-notifications.ts';
import { listBlocks } from './008-list-blocks.ts';
import { confirmedSessions } from './009-confirmed-sessions.ts';
import { provenDevices } from './010-proven-devices.ts';
import { makersOfBatches } from './011-makers-of-batches.ts';
import { orderOrigins } from './012-order-origins.ts';
import { bundleVersions } from './013-bundle-versions.ts';
import { countsWhenAsked } from './014-counts-when-asked.ts';
import { people } from './015-people.ts';
import { cashMovements } from './016-cash-movements.ts';
import { ordersOfDevices } from './017-orders-of-devices.ts';
import { salesByDay } from './018-sales-by-day.ts';
import { receipts } from './019-receipts.ts';
import { routers } from './020-routers.ts';
import { voucherSales } from './021-voucher-sales.ts';
import { freeAccess } from './022-free-access.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

export const migrations: readonly Migration[] = [
  { name: '001-books', sql: books },
  { name: '002-admin-lists', sql: adminLists },
  { name: '003-dashboard', sql: dashboard },
  { name: '004-sms', sql: sms },
  { name: '005-lean-redemption', sql: leanRedemption },
  { name: '006-orders-by-method', sql: ordersByMethod },
  { name: '007-bounded-notifications', sql: boundedNotifications },
  { name: '008-list-blocks', sql: listBlocks },
  { name: '009-confirmed-sessions', sql: confirmedSessions },
  { name: '010-proven-devices', sql: provenDevices },
  { name: '011-makers-of-batches', sql: makersOfBatches },
  { name: '012-order-origins', sql: orderOrigins },
  { name: '013-bundle-versions', sql: bundleVersions },
  { name: '014-counts-when-asked', sql: countsWhenAsked },
  { name: '015-people', sql: people },
  { name: '016-cash-movements', sql: cashMovements },
  { name: '017-orders-of-devices', sql: ordersOfDevices },
  { name: '018-sales-by-day', sql: salesByDay },
  { name: '019-receipts', sql: receipts },
  { name: '020-routers', sql: routers },
  { name: '021-voucher-sales', sql: voucherSales },
  { name: '022-free-access', sql: freeAccess },
];
