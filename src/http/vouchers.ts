/** Voucher codes: made, redeemed, listed. See docs/rules.md: Vouchers. */
import { generateVouchers, listVouchers, redeemVoucher } from '../contract/vouchers.ts';
import { LangoError } from '../domain/errors.ts';
import { SECONDS_PER_HOUR } from '../domain/time.ts';
import { parseVoucherCode } from '../domain/vouchers.ts';
import { createCodeReadLog, readableCodes, readerOf } from './code-readers.ts';
import type { Context } from './context.ts';
import { isShownOnline, type RequestedDevice, requestedDevice } from './own-device.ts';
import { pageHeaders, sliceOf } from './pagination.ts';
import { json } from './reply.ts';
import type { Api } from './route.ts';
import { generatedView, voucherView } from './views/vouchers.ts';

/** An answer of the full size is a megabyte; a page is for those who can wait less. */
const LIST_WITHOUT_PAGE = 10_000;

export function voucherRoutes(api: Api, context: Context): void {
  const { reads, commit, limits, applyAccess, site } = context;
  const codeReads = createCodeReadLog(context);
  api.handle(generateVouchers, async ({ body, actor }) => {
    const input = {
      bundleId: body.bundle_id,
      quantity: body.quantity,
      expiryDays: body.expiry_days,
      phone: body.phone_number ?? null,
      kind: body.kind,
    };
    const generated = await commit('generateVouchers', input, actor);
    return generatedView(generated);
  });

  api.handle(redeemVoucher, async ({ body, clientIp }) => {
    const code = parseVoucherCode(body.voucher_code);
    const giveBackSpent = limits.redeemSpent.take(clientIp);
    const giveBack = limits.redeem.take(clientIp);
    const device = await requestedDevice(context, body, clientIp);
    const redeemed = await commit('redeemVoucher', {
      phone: body.phone_number,
      code,
      language: body.language ?? null,
      device: device?.isForeign ? null : device,
      onlineMacs: site.onlineMacs(),
    }).catch(error => {
      if (!(error instanceof LangoError && error.code === 'VOUCHER_INVALID')) giveBack();
      throw error;
    });
    giveBack();
    if (!redeemed.repeated) giveBackSpent();
    await applyAccess(redeemed.userId);
    // A repeat is answered with the first result, whatever device it names now.
    const deviceAllowed = device?.isForeign ? false : redeemed.deviceAllowed;
    const online = isOnline(context, redeemed.userId, device);
    return {
      success: true,
      message: redeemMessage(device, deviceAllowed, online),
      access_granted: true,
      subscription_end: redeemed.paidUntil,
      bundle: { name: redeemed.bundleName, duration_hours: redeemed.durationSeconds / SECONDS_PER_HOUR },
      ...(deviceAllowed === null ? {} : { device_allowed: deviceAllowed }),
      ...(deviceAllowed === null || !site.isConfigured ? {} : { online }),
    };
  });

  api.handle(listVouchers, ({ query, search, caller, actor }) => {
    const reader = readerOf(caller);
    const { id, is_used: isUsed, bundle_id: bundleId, batch_id: batchId, sale_id: saleId, code } = query;
    const filter = { id, isUsed, bundleId, batchId, saleId, code, reader: reader ?? undefined };
    const { page, ...slice } = sliceOf(query, LIST_WITHOUT_PAGE);
    const rows = reads.vouchers.list(filter, slice);
    const total = reads.vouchers.count(filter);
    codeReads.recordThrottled({ subject: 'voucher', codes: readableCodes(rows, reader), actor });
    return json(
      200,
      rows.map(voucher => voucherView(voucher, reader)),
      pageHeaders('/api/vouchers/list/', search, { page, pageSize: slice.limit, total }),
    );
  });
}

/** Does the router show a session of the device? Of this person's devices alone: of others it is not theirs to know. */
function isOnline(context: Context, userId: number, device: RequestedDevice | null): boolean {
  if (device === null || device.isForeign) return false;
  return context.reads.devices.byMac(device.mac)?.userId === userId && isShownOnline(context, device.mac);
}

function redeemMessage(device: RequestedDevice | null, deviceAllowed: boolean | null, online: boolean): string {
  if (online) return 'The voucher is accepted. You are online.';
  if (device?.isForeign) return 'The voucher is accepted. Open this page on the device that is to go online.';
  if (deviceAllowed === false) {
    return 'The voucher is accepted, but there is no place for this device. Remove another one, or open this page on the device itself.';
  }
  return 'The voucher is accepted. One step is left: turn Wi-Fi off and on, and open this page on the device that is to go online.';
}
