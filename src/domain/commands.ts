/**
 * All commands: every change of the books. Each is a plain function of a transaction and a serialisable input;
 * the store's writer runs it by name.
 */
import * as access from './access.ts';
import * as adminSessions from './admin-sessions.ts';
import * as admins from './admins.ts';
import * as audit from './audit.ts';
import * as bundles from './bundles.ts';
import * as cashiers from './cashiers.ts';
import * as credits from './credits.ts';
import * as devicePolicy from './device-policy.ts';
import * as devices from './devices.ts';
import * as freeAccess from './free-access.ts';
import * as hotspot from './hotspot.ts';
import * as limits from './limits.ts';
import * as orders from './orders.ts';
import * as outages from './outages.ts';
import * as paymentChecks from './payment-checks.ts';
import * as payments from './payments.ts';
import * as pruning from './pruning.ts';
import * as refunds from './refunds.ts';
import * as routerKey from './router-key.ts';
import * as routers from './routers.ts';
import * as sales from './sales.ts';
import * as secondFactor from './second-factor.ts';
import * as settings from './settings.ts';
import * as shifts from './shifts.ts';
import * as sms from './sms.ts';
import type { Tx } from './transaction.ts';
import * as users from './users.ts';
import * as voucherSales from './voucher-sales.ts';
import * as vouchers from './vouchers.ts';
import * as webhookLogs from './webhook-logs.ts';

export const commands = {
  updateUser: users.updateUser,
  deleteUser: users.deleteUser,
  giveTime: access.giveTime,
  creditOutage: credits.creditOutage,
  followOutage: outages.followOutage,
  registerDevice: hotspot.registerDevice,
  connectDevice: devices.connectDevice,
  removeDevice: devices.removeDevice,
  renameDevice: devices.renameDevice,
  touchDevices: devices.touchDevices,
  createBundle: bundles.createBundle,
  updateBundle: bundles.updateBundle,
  deleteBundle: bundles.deleteBundle,
  generateVouchers: vouchers.generateVouchers,
  takeFree: freeAccess.takeFree,
  redeemVoucher: vouchers.redeemVoucher,
  revokeVoucher: vouchers.revokeVoucher,
  revokeBatch: vouchers.revokeBatch,
  sellVouchers: voucherSales.sellVouchers,
  returnVouchers: voucherSales.returnVouchers,
  openOrder: orders.openOrder,
  attachCheckout: orders.attachCheckout,
  refuseOrder: orders.refuseOrder,
  settlePayment: payments.settlePayment,
  cancelExpiredOrders: orders.cancelExpiredOrders,
  recheckUnsettled: paymentChecks.recheckUnsettled,
  clearReview: payments.clearReview,
  sellForCash: sales.sellForCash,
  openShift: shifts.openShift,
  moveCash: shifts.moveCash,
  closeShift: shifts.closeShift,
  explainShift: shifts.explainShift,
  openRefund: refunds.openRefund,
  settleRefund: refunds.settleRefund,
  recordWebhook: webhookLogs.recordWebhook,
  createAdmin: admins.createAdmin,
  setAdminPassword: admins.setAdminPassword,
  updateAdmin: admins.updateAdmin,
  setUp: admins.setUp,
  startTotp: secondFactor.startTotp,
  confirmTotp: secondFactor.confirmTotp,
  disableTotp: secondFactor.disableTotp,
  openSession: adminSessions.openSession,
  confirmSession: adminSessions.confirmSession,
  touchSession: adminSessions.touchSession,
  endSession: adminSessions.endSession,
  endAdminSession: adminSessions.endAdminSession,
  announceExpiry: sms.announceExpiry,
  announceEnding: sms.announceEnding,
  queueDeviceCode: sms.queueDeviceCode,
  claimSms: sms.claimSms,
  recordSmsAnswer: sms.recordSmsAnswer,
  endInterruptedSms: sms.endInterruptedSms,
  openSetup: settings.openSetup,
  recordHeartbeat: settings.recordHeartbeat,
  keepRouterKey: routerKey.keepRouterKey,
  addRouter: routers.addRouter,
  changeRouter: routers.changeRouter,
  removeRouter: routers.removeRouter,
  changeBranding: settings.changeBranding,
  changeMessage: settings.changeMessage,
  changeDevicePolicy: devicePolicy.changeDevicePolicy,
  changeLimits: limits.changeLimits,
  changeCashierRules: cashiers.changeCashierRules,
  recordAction: audit.recordAction,
  prune: pruning.prune,
} as const;

export type Commands = typeof commands;

/** The writer's way in: what `Commit` promises of names, inputs and actors is not checked again. */
export function runCommand(tx: Tx, name: keyof Commands, input: unknown): unknown {
  return (commands[name] as (tx: Tx, input: unknown) => unknown)(tx, input);
}
