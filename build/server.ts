/** Bundles the server: one file for the program, one for each worker thread, and the addons beside them. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { copyAddons, nativeAddons } from './addons.ts';
import type { Target } from './target.ts';

/**
 * @param source the folder that holds `main.ts`; files below it that end in `-worker.ts` become workers
 * @param folder where `main.cjs`, the workers (under their own paths) and `native/` go
 */
export async function bundleServer(source: string, target: Target, folder: string): Promise<void> {
  await build({
    entryPoints: [join(source, 'main.ts'), ...globSync(join(source, '**/*-worker.ts'))],
    outbase: source,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    define: {
      // CommonJS has no import.meta.
      'import.meta.url': 'importMetaUrl',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
      // node-routeros requires a package that it does not bring when this says `testing`.
      'process.env.ENV': 'undefined',
    },
    // node-routeros reads words with iconv-lite, which asks for these tables only for encodings of East Asia.
    external: ['./tables/*.json'],
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [nativeAddons],
    logLevel: 'warning',
  });
  copyAddons(target, folder);
}
