/** Packs a staged folder and Node into one executable, with pkg; downloads nothing. */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { strip } from './strip.ts';
import { outFolder, root, type Target } from './target.ts';

const run = promisify(execFile);

/**
 * @param stage holds `main.cjs` and every file that must be in the executable
 * @param output the executable; replaced in one step, so that a running one is not disturbed
 */
export async function packExecutable(stage: string, target: Target, output: string): Promise<void> {
  const version = process.versions.node;
  await writeFile(
    join(stage, 'package.json'),
    JSON.stringify({ name: 'lango', bin: 'main.cjs', pkg: { assets: ['**/*'] } }),
  );
  const home = join(outFolder, 'pkg-home');
  await seedNode(home, target, version);

  const packed = `${output}.packed`;
  await rm(packed, { force: true });
  const { stdout } = await run(
    process.execPath,
    [await homelessPkg(), stage, '--sea', '--target', `node${version}-${target}`, '--output', packed],
    { env: { ...process.env, HOME: home }, cwd: stage },
  );
  // pkg goes on when it cannot find a file, so its warnings are worth seeing.
  if (stdout.includes('Warning')) process.stderr.write(stdout);
  // pkg writes the whole file at once, and Linux then keeps it in memory in pieces so large that each process maps
  // 20 MB more of it than it uses, until the machine restarts. A file that was copied has no such pieces.
  const copy = `${output}.new`;
  await pipeline(createReadStream(packed), createWriteStream(copy, { mode: 0o755 }));
  await rename(copy, output);
  await rm(packed);
}

/**
 * What pkg puts into the executable asks for the user's home folder at every start and dies when there is none. It
 * would only keep addons there, which we load otherwise.
 * @returns the program of a copy of pkg that does not ask; inside the repository, so it finds what it requires
 */
async function homelessPkg(): Promise<string> {
  const copy = join(outFolder, 'pkg');
  await cp(join(root, 'node_modules/@yao-pkg/pkg'), copy, { recursive: true });
  const prelude = join(copy, 'prelude/sea-bootstrap.bundle.js');
  const asking = await readFile(prelude, 'utf8');
  const silent = asking.replaceAll('path.join(homedir(), ', 'path.join(path.sep, ');
  if (silent.includes('homedir()')) throw new Error('pkg asks for the home folder in a new way.');
  await writeFile(prelude, silent);
  return join(copy, 'lib-es5/bin.js');
}

/** Puts our own Node where pkg keeps what it downloaded, with the marks of a finished download. */
async function seedNode(home: string, target: Target, version: string): Promise<void> {
  const cache = join(home, '.pkg-cache/sea');
  const name = `node-v${version}-${target}`;
  await mkdir(join(cache, name, 'bin'), { recursive: true });
  strip(await nodeFor(target), join(cache, name, 'bin/node'));
  for (const mark of [`${name}/bin/node.ok`, `${name}.tar.gz`, `${name}.tar.gz.ok`]) {
    await writeFile(join(cache, mark), '');
  }
}

/** npm installs Node for this machine's processor only; the other one is fetched into a folder of its own. */
async function nodeFor(target: Target): Promise<string> {
  if (target === `linux-${process.arch}`) return process.execPath;
  const folder = join(outFolder, 'other-node', target);
  const node = join(folder, `node_modules/node-${target}/bin/node`);
  if (!existsSync(node)) await installNode(folder, target);
  return node;
}

async function installNode(folder: string, target: Target): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
    await copyFile(join(root, file), join(folder, file));
  }
  await run('npm', ['ci', '--ignore-scripts', '--omit=dev', '--os=linux', `--cpu=${target.slice('linux-'.length)}`], {
    cwd: folder,
  });
}
