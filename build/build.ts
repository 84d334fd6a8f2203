/** `scripts/build`: from the sources to one executable. */
import { rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { packExecutable } from './executable.ts';
import { buildPages } from './pages.ts';
import { bundleServer } from './server.ts';
import { executablePath, root, stageFolder, type Target, targets } from './target.ts';

/** @returns the path of the executable */
async function buildExecutable(target: Target): Promise<string> {
  const stage = stageFolder(target);
  await rm(stage, { recursive: true, force: true });
  await bundleServer(join(root, 'src'), target, stage);
  await buildPages(join(stage, 'static'));
  const executable = executablePath(target);
  await packExecutable(stage, target, executable);
  return executable;
}

const { values } = parseArgs({ options: { target: { type: 'string', default: 'linux-x64' } } });
const target = targets.find(known => known === values.target);
if (target === undefined) {
  process.stderr.write(`--target must be one of: ${targets.join(', ')}\n`);
  process.exitCode = 2;
} else {
  const executable = await buildExecutable(target);
  const { size } = await stat(executable);
  process.stdout.write(`${relative(process.cwd(), executable)}  ${(size / 1e6).toFixed(1)} MB\n`);
}
