/**
 * Loads a native addon inside the executable; `addons.ts` bundles this in place of the packages' own loaders.
 *
 * The dynamic linker only takes files, and the box may have neither a home folder nor a writable root. So the
 * bytes go to a file without a name, and the linker gets it as `/proc/self/fd/N`. Each descriptor stays open for
 * good: the linker remembers libraries by path, and a reused number would hand back the other addon.
 */
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** Linux's own number; Node has no name for it. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;

/** @returns what the addon exports, in the main thread and in every worker started after that. */
export function loadAddon(name: string): unknown {
  const key = `lango.addon.${name}`;
  const addon = { exports: {} };
  if (isMainThread) {
    setEnvironmentData(key, openAddon(addon, readFileSync(join(import.meta.dirname, 'native', `${name}.node`))));
  } else {
    // A descriptor opened by a worker would be closed with it, so only the main thread opens any.
    const path = getEnvironmentData(key);
    if (typeof path !== 'string') throw new Error(`The main thread must load ${name} before a worker does.`);
    process.dlopen(addon, path);
  }
  return addon.exports;
}

function openAddon(addon: { exports: object }, bytes: Buffer): string {
  const problems: string[] = [];
  for (const folder of candidateFolders()) {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600);
      writeFileSync(descriptor, bytes);
      const path = `/proc/self/fd/${descriptor}`;
      process.dlopen(addon, path);
      return path;
    } catch (error) {
      // Read-only, full, mounted noexec, or without O_TMPFILE: the next folder may do.
      if (descriptor !== undefined) closeSync(descriptor);
      problems.push(`${folder}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `No folder takes the program's native code. Set RUNTIME_DIRECTORY to a writable one.\n${problems.join('\n')}`,
  );
}

/** Folders that are likely to be writable and executable, best first. */
function candidateFolders(): string[] {
  const { RUNTIME_DIRECTORY, STATE_DIRECTORY, LANGO_DATA_DIR } = process.env;
  const given = [RUNTIME_DIRECTORY, STATE_DIRECTORY, LANGO_DATA_DIR].filter(folder => folder !== undefined);
  return [...given.flatMap(folders => folders.split(':')), tmpdir(), '/dev/shm', process.cwd()];
}
