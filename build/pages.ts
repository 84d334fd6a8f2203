/**
 * Builds the pages into one folder: the portal's documents with the words of each, which the server fills in, and the
 * sites beside it, as they are served. Their text has precompressed siblings (`.br`, `.gz`).
 */
import { globSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { buildPortalDocuments } from './portal.ts';
import { outFolder, root } from './target.ts';

/** Where the server serves the built folder. */
const PUBLIC_PATH = '/api/static';

const sources = join(root, 'static');
const TEXT = new Set(['.html', '.css', '.js', '.svg', '.json', '.webmanifest', '.txt']);

/** Taken as they are, whether the template or a style sheet names them. */
const COPIED = ['.svg', '.png', '.webp', '.ico', '.woff2', '.webmanifest'];

/** The language of the portal's `index.html`. */
const PORTAL_LANGUAGE = 'en';

/**
 * @param folder where `portal/LANGUAGE.html`, `portal/index.html` and `SITE/index.html` with its files go; what is
 *   there already stays, and each file appears whole, so builds may overlap
 */
export async function buildPages(folder: string): Promise<void> {
  await mkdir(join(folder, 'portal'), { recursive: true });
  for (const { code, html, words } of await buildPortalDocuments()) {
    for (const name of code === PORTAL_LANGUAGE ? [code, 'index'] : [code]) {
      await writeWhole(join(folder, 'portal', `${name}.html`), html);
      await writeWhole(join(folder, 'portal', `${name}.json`), words);
    }
  }
  for (const template of globSync('*/index.html', { cwd: sources, exclude: ['portal/**'] })) {
    const site = dirname(template);
    await buildSite(join(sources, site), join(folder, site), `${PUBLIC_PATH}/${site}`);
  }
}

/** Every file that the template names by `./` is bundled and carries its content's hash, so it may be cached for good. */
async function buildSite(source: string, folder: string, publicPath: string): Promise<void> {
  const template = await readFile(join(source, 'index.html'), 'utf8');
  const named = /(?<=\b(?:src|href)=")\.\/[^"]+(?=")/g;
  const { outputFiles, metafile } = await build({
    absWorkingDir: source,
    entryPoints: [...new Set(template.match(named))],
    outdir: folder,
    publicPath,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    target: 'es2022',
    format: 'esm',
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    loader: Object.fromEntries(COPIED.map(extension => [extension, 'copy'])),
    logLevel: 'warning',
  });

  const addresses = new Map<string, string>();
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== undefined) addresses.set(`./${entryPoint}`, `${publicPath}/${basename(path)}`);
  }
  const page = template.replaceAll(named, name => addresses.get(name) ?? name);

  for (const { path, contents } of outputFiles) await writeWithSiblings(path, contents);
  await writeWithSiblings(join(folder, 'index.html'), Buffer.from(page));
}

async function writeWithSiblings(path: string, contents: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, contents);
  if (!TEXT.has(extname(path))) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeWhole(`${path}.br`, await promisify(brotliCompress)(contents, quality));
  await writeWhole(`${path}.gz`, await promisify(gzip)(contents, { level: constants.Z_BEST_COMPRESSION }));
}

async function writeWhole(path: string, contents: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, contents);
  await rename(unfinished, path);
}

if (import.meta.main) {
  const folder = join(outFolder, 'static');
  await buildPages(folder);
  process.stdout.write(`${relative(process.cwd(), folder)}\n`);
}
