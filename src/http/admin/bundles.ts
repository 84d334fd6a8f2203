/** What is for sale, for those who set the prices. See docs/rules.md: Bundles and users. */
import * as contract from '../../contract/bundles.ts';
import { type Bundle, requireBundle } from '../../domain/bundles.ts';
import { NO_REVENUE } from '../../domain/stats.ts';
import { createCodeReadLog, readableCodes, readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../credentials.ts';
import { expectedVersion } from '../expected-version.ts';
import { camelCased } from '../names.ts';
import type { Api } from '../route.ts';
import { bundleView } from '../views/bundles.ts';
import { sellerOf } from '../views/numbers.ts';
import { voucherView } from '../views/vouchers.ts';

const UNUSED_VOUCHERS_SHOWN = 100;

export function adminBundleRoutes(api: Api, context: Context): void {
  const { reads, commit, clock } = context;
  const codeReads = createCodeReadLog(context);
  const stockOf = (bundleId: number) => ({
    vouchers: reads.vouchers.inStockOf(bundleId, clock.now()),
    price: reads.vouchers.oldestStock(bundleId, clock.now())?.price ?? null,
  });
  /** For one reply: the sales of all bundles are read once. */
  function viewFor(caller: Caller) {
    const sales = reads.stats.revenueOfBundles(sellerOf(caller));
    return (bundle: Bundle) => bundleView(bundle, sales.get(bundle.id) ?? NO_REVENUE, stockOf(bundle.id));
  }

  api.handle(contract.listBundles, ({ caller }) => ({
    success: true,
    bundles: reads.bundles.list().map(viewFor(caller)),
  }));

  api.handle(contract.createBundle, async ({ body, caller, actor }) => {
    const { description = '', duration_hours: durationSeconds, router_profile: routerProfile = null, ...rest } = body;
    const bundle = { ...camelCased(rest), description, durationSeconds, routerProfile };
    const created = await commit('createBundle', { bundle }, actor);
    return { success: true, message: 'The bundle was created.', bundle: viewFor(caller)(created) };
  });

  api.handle(contract.showBundle, ({ params, caller, actor }) => {
    const bundle = requireBundle(reads, params.bundle_id);
    const reader = readerOf(caller);
    const filter = { bundleId: bundle.id, isUsed: false };
    const unused = reads.vouchers.list(filter, { limit: UNUSED_VOUCHERS_SHOWN, offset: 0 });
    codeReads.recordThrottled({ subject: 'bundle', subjectId: bundle.id, codes: readableCodes(unused, reader), actor });
    const vouchers = unused.map(voucher => voucherView(voucher, reader));
    return { success: true, bundle: { ...viewFor(caller)(bundle), unused_vouchers: vouchers } };
  });

  api.handle(contract.updateBundle, async ({ params, body, headers, caller, actor }) => {
    const { expected_version, duration_hours: durationSeconds, ...rest } = body;
    const version = expectedVersion(headers, expected_version);
    const input = { bundleId: params.bundle_id, version, change: { ...camelCased(rest), durationSeconds } };
    const bundle = await commit('updateBundle', input, actor);
    return { success: true, message: 'The bundle was updated.', bundle: viewFor(caller)(bundle) };
  });

  api.handle(contract.deleteBundle, async ({ params, actor }) => {
    const { archived } = await commit('deleteBundle', { bundleId: params.bundle_id }, actor);
    const message = archived ? 'The bundle was archived: its sales keep its name.' : 'The bundle was deleted.';
    return { success: true, message, archived };
  });
}
