/** What is for sale, for those who set the prices. See docs/rules.md: Bundles and users. */
import * as v from 'valibot';
import { type Bundle, type BundleSales, requireBundle } from '../../domain/bundles.ts';
import { createLooks, readableCodes, readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../credentials.ts';
import { expectedVersion } from '../expected-version.ts';
import { amount, bool, fields, hours, id, idText, optional, text, wholeNumber } from '../fields.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { bundleView } from '../views/bundles.ts';
import { sellerOf } from '../views/numbers.ts';
import { voucherView } from '../views/vouchers.ts';

const DISPLAY_ORDER = { min: -1_000_000, max: 1_000_000 };
const UNUSED_VOUCHERS_SHOWN = 100;

export function adminBundleRoutes(api: Api, context: Context): void {
  const { reads, commit, policy } = context;
  const looks = createLooks(context);
  const price = amount(policy.currency);
  const description = v.pipe(v.string('Give text.'), v.maxLength(500, 'Give 500 characters at most.'));
  const Create = fields({
    name: text(100),
    description: optional(description),
    price,
    duration_hours: hours(),
    is_active: optional(bool()),
    display_order: optional(wholeNumber(DISPLAY_ORDER)),
    router_profile: optional(text(100)),
  });
  const Update = fields({
    name: optional(text(100)),
    description: v.optional(description),
    price: optional(price as v.GenericSchema<unknown, v.InferOutput<typeof price>>),
    duration_hours: optional(hours()),
    is_active: optional(bool()),
    display_order: optional(wholeNumber(DISPLAY_ORDER)),
    router_profile: v.optional(v.nullable(text(100))),
    expected_version: optional(id()),
  });
  const OneBundle = fields({ bundle_id: idText() });
  const salesOf = (bundleId: number, seller: number | undefined): BundleSales => {
    if (seller === undefined) return reads.bundles.salesOf(bundleId);
    const { completed } = reads.payments.summary({ soldInShiftsOf: seller, bundleId });
    return { purchases: completed.orders, revenue: { minor: completed.amountMinor, currency: policy.currency } };
  };
  const view = (bundle: Bundle, caller: Caller) => bundleView(bundle, salesOf(bundle.id, sellerOf(caller)));

  api.get(
    '/admin/bundles/',
    route({ auth: 'cashier' }, ({ caller }) => {
      const seller = sellerOf(caller);
      const bundles = reads.bundles.list().map(bundle => bundleView(bundle, salesOf(bundle.id, seller)));
      return json(200, { success: true, bundles });
    }),
  );

  api.post(
    '/admin/bundles/',
    route({ auth: 'staff', body: Create }, async ({ body, caller, actor }) => {
      const bundle = {
        name: body.name,
        description: body.description ?? '',
        price: body.price,
        durationSeconds: body.duration_hours,
        isActive: body.is_active ?? true,
        displayOrder: body.display_order ?? 0,
        routerProfile: body.router_profile ?? null,
      };
      const created = await commit('createBundle', { bundle }, actor);
      return json(201, { success: true, message: 'The bundle was created.', bundle: view(created, caller) });
    }),
  );

  api.get(
    '/admin/bundles/:bundle_id/',
    route({ auth: 'cashier', params: OneBundle }, ({ params, caller, actor }) => {
      const bundle = view(requireBundle(reads, params.bundle_id), caller);
      const reader = readerOf(caller);
      const filter = { bundleId: params.bundle_id, isUsed: false };
      const unused = reads.vouchers.list(filter, { limit: UNUSED_VOUCHERS_SHOWN, offset: 0 });
      looks.noteSeldom({ subject: 'bundle', subjectId: bundle.id, codes: readableCodes(unused, reader), actor });
      const shown = unused.map(voucher => voucherView(voucher, reader));
      return json(200, { success: true, bundle: { ...bundle, unused_vouchers: shown } });
    }),
  );

  api.put(
    '/admin/bundles/:bundle_id/',
    route({ auth: 'staff', params: OneBundle, body: Update }, async ({ params, body, headers, caller, actor }) => {
      const input = {
        bundleId: params.bundle_id,
        version: expectedVersion(headers, body.expected_version),
        change: {
          name: body.name,
          description: body.description,
          price: body.price,
          durationSeconds: body.duration_hours,
          isActive: body.is_active,
          displayOrder: body.display_order,
          routerProfile: body.router_profile,
        },
      };
      const bundle = await commit('updateBundle', input, actor);
      return json(200, { success: true, message: 'The bundle was updated.', bundle: view(bundle, caller) });
    }),
  );

  api.delete(
    '/admin/bundles/:bundle_id/',
    route({ auth: 'staff', params: OneBundle }, async ({ params, actor }) => {
      const { archived } = await commit('deleteBundle', { bundleId: params.bundle_id }, actor);
      const message = archived ? 'The bundle was archived: its sales keep its name.' : 'The bundle was deleted.';
      return json(200, { success: true, message, archived });
    }),
  );
}
