/** Voucher codes: made, redeemed, listed. See docs/rules.md: Vouchers. */
import { isDevice, mayName } from '../domain/asker.ts';
import { LangoError } from '../domain/errors.ts';
import { parseVoucherCode, VOUCHER_EXPIRY_DAYS, VOUCHER_QUANTITY } from '../domain/vouchers.ts';
import { createLooks, readableCodes, readerOf } from './code-readers.ts';
import type { Context } from './context.ts';
import { boolText, fields, id, idText, ip, language, mac, optional, phone, text, wholeNumber } from './fields.ts';
import { filterBy } from './filters.ts';
import { askerOf } from './own-device.ts';
import { pageHeaders, sliceFields, sliceOf } from './pagination.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { generatedView, voucherView } from './views.ts';

/** An answer of the full size is a megabyte; a page is for those who can wait less. */
const LIST_WITHOUT_PAGE = 10_000;

export function voucherRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, limits, defaultCountry, applyAccess, presence } = context;
  const looks = createLooks(context);
  const Generate = fields({
    bundle_id: id(),
    quantity: wholeNumber(VOUCHER_QUANTITY),
    expiry_days: optional(wholeNumber(VOUCHER_EXPIRY_DAYS)),
    phone_number: optional(phone(defaultCountry)),
  });
  const Redeem = fields({
    phone_number: phone(defaultCountry),
    voucher_code: text(60),
    mac_address: optional(mac()),
    ip_address: optional(ip()),
    language: optional(language()),
  });
  const List = fields({
    ...sliceFields,
    is_used: filterBy(boolText()),
    bundle_id: filterBy(idText()),
    batch_id: filterBy(idText()),
    code: optional(text(60)),
  });

  api.post(
    '/vouchers/generate/',
    route({ auth: 'cashier', body: Generate }, async ({ body, actor }) => {
      const generated = await commit('generateVouchers', {
        bundleId: body.bundle_id,
        quantity: body.quantity,
        expiryDays: body.expiry_days ?? VOUCHER_EXPIRY_DAYS.default,
        phone: body.phone_number ?? null,
        actor,
        now: clock.now(),
      });
      return json(200, generatedView(generated));
    }),
  );

  api.post(
    '/vouchers/redeem/',
    route({ auth: 'none', body: Redeem, errors: 'voucher' }, async ({ body, clientIp }) => {
      const code = parseVoucherCode(body.voucher_code);
      const giveBackVain = limits.redeemInVain.take(clientIp);
      const giveBack = limits.redeem.take(clientIp);
      const device = body.mac_address;
      const asker = device === undefined ? 'unknown' : await askerOf(context, clientIp);
      const isOwn = device !== undefined && mayName(asker, device);
      const redeemed = await commit('redeemVoucher', {
        phone: body.phone_number,
        code,
        language: body.language ?? null,
        device: isOwn ? { mac: device, ip: body.ip_address ?? null, isItself: isDevice(asker, device) } : null,
        onlineMacs: presence.onlineMacs(),
        now: clock.now(),
      }).catch(error => {
        if (!(error instanceof LangoError && error.code === 'VOUCHER_INVALID')) giveBack();
        throw error;
      });
      giveBack();
      if (!redeemed.repeated) giveBackVain();
      await applyAccess(redeemed.userId);
      // A repeat is answered with the first result, whatever device it names now.
      const deviceAllowed = device === undefined || isOwn ? redeemed.deviceAllowed : false;
      return json(200, {
        success: true,
        message: redeemMessage(deviceAllowed, device === undefined || isOwn),
        access_granted: true,
        subscription_end: redeemed.paidUntil,
        bundle: { name: redeemed.bundleName, duration_hours: redeemed.durationSeconds / 3_600 },
        ...(deviceAllowed === null ? {} : { device_allowed: deviceAllowed }),
      });
    }),
  );

  api.get(
    '/vouchers/list/',
    route({ auth: 'cashier', query: List }, ({ query, search, caller, actor }) => {
      const reader = readerOf(caller);
      const { is_used: isUsed, bundle_id: bundleId, batch_id: batchId, code } = query;
      const filter = { isUsed, bundleId, batchId, code, reader: reader ?? undefined };
      const { page, ...slice } = sliceOf(query, LIST_WITHOUT_PAGE);
      const rows = reads.vouchers.list(filter, slice);
      const total = reads.vouchers.count(filter);
      looks.noteSeldom({ subject: 'voucher', codes: readableCodes(rows, reader), actor });
      return json(
        200,
        rows.map(voucher => voucherView(voucher, reader)),
        pageHeaders('/api/vouchers/list/', search, { page, pageSize: slice.limit, total }),
      );
    }),
  );
}

function redeemMessage(deviceAllowed: boolean | null, isOwnDevice: boolean): string {
  if (deviceAllowed !== false) return 'The voucher is accepted. You are online.';
  if (!isOwnDevice) return 'The voucher is accepted. Open this page on the device that is to go online.';
  return 'The voucher is accepted, but there is no place for this device. Remove another one, or open this page on the device itself.';
}
