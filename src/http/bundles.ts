/** What is for sale. */
import type { Context } from './context.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { untilCommit } from './until-commit.ts';
import { publicBundleView } from './views/bundles.ts';

export function bundleRoutes(api: Api, { reads, revision }: Context): void {
  api.get(
    '/bundles/',
    route(
      { auth: 'none' },
      untilCommit(revision, () => json(200, reads.bundles.listActive().map(publicBundleView))),
    ),
  );
}
