/**
 * Where the program's own files are: beside the sources in development, in the packaged folder of the
 * executable. Native addons need no such place: the build swaps their loaders, and the sources import
 * `better-sqlite3` and `argon2` as anybody would (never with the `nativeBinding` option).
 */
import { join } from 'node:path';

const here = import.meta.dirname;
const fromSource = import.meta.filename.endsWith('.ts');

/** The built pages: `portal/index.html`, `admin/index.html` and the files they name. */
export function staticFolder(): string {
  return fromSource ? join(here, '../build/out/static') : join(here, 'static');
}

/**
 * The file a worker thread starts from, as `new Worker(…)` wants it; it must stay a path, since the
 * executable does not recognise a URL.
 * @param name a source file under `src/` that ends in `-worker`, without its extension: `store/writer-worker`
 */
export function workerFile(name: `${string}-worker`): string {
  return join(here, `${name}${fromSource ? '.ts' : '.cjs'}`);
}
