/** What the program is built for, and where. */
import { join } from 'node:path';

export const targets = ['linux-x64', 'linux-arm64'] as const;
export type Target = (typeof targets)[number];

/** The repository. */
export const root = join(import.meta.dirname, '..');

/** Everything that the build makes; ignored by git. */
export const outFolder = join(root, 'build/out');

/** `lango` is for the usual x64; another target is named. */
export function executablePath(target: Target): string {
  return join(outFolder, target === 'linux-x64' ? 'lango' : `lango-${target}`);
}

/** What goes into the executable, as plain files: `main.cjs`, the workers, `native/` and `static/`. */
export function stageFolder(target: Target): string {
  return join(outFolder, 'stage', target);
}
