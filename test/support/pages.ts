/** The built pages. `scripts/check` builds them before the tests; a test that is run alone builds what is missing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildPages } from '../../build/pages.ts';
import { staticFolder } from '../../src/assets.ts';

let built: Promise<void> | undefined;

export function pagesAreBuilt(): Promise<void> {
  const isThere = (page: string) => existsSync(join(staticFolder(), page));
  built ??=
    isThere('portal/index.json') && isThere('admin/index.html') ? Promise.resolve() : buildPages(staticFolder());
  return built;
}
