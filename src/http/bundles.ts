/** What is for sale. */
import { listBundlesForSale } from '../contract/bundles.ts';
import type { Context } from './context.ts';
import { memoizeUntilCommit } from './memoize-until-commit.ts';
import { json } from './reply.ts';
import type { Api } from './route.ts';
import { bundleForSaleView } from './views/bundles.ts';

export function bundleRoutes(api: Api, { reads, revision }: Context): void {
  api.handle(
    listBundlesForSale,
    memoizeUntilCommit(revision, () => json(200, reads.bundles.listActive().map(bundleForSaleView))),
  );
}
