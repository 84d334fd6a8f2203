/**
 * The portal at `/`, the admin site at `/api/admin/`, and the files they name under `/api/static/`.
 *
 * The pages and whatever else is small are served from memory, compressed beforehand: a flood of questions opens no
 * files. Everything else is sirv's. ETags are made of content: modification times change with each start of the executable.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';

import type { Log } from '../domain/ports.ts';
import { createPortalPage, type PortalPageOptions } from './portal-page.ts';
import { etagOf, isCurrent, loadResource, type Resource, sendResource } from './resource.ts';
import { API_ROOT, type Mount } from './router.ts';
import { ASSET_HEADERS, PAGE_HEADERS } from './security-headers.ts';

const STATIC_ROOT = `${API_ROOT}/static`;
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/** `app-4F2K7QXA.js`, as esbuild names what it hashes. */
const HASHED_NAME = /[-.][A-Z0-9]{8}\.[a-z0-9]+$/;
const KEPT_IN_MEMORY_AT_MOST = 512 * 1_024;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/**
 * @param folder holds `portal/index.html` and the portal in other languages (`portal/sw.html`), `admin/index.html`,
 *   and the files they name; `.br` and `.gz` beside a file are its compressed forms
 * @throws Error when one of the two pages is missing
 */
export function createPages(folder: string, log: Log, portal: PortalPageOptions): Mount[] {
  const page = (site: string) => {
    const file = join(folder, site, 'index.html');
    if (!existsSync(file)) throw new Error(`The page ${file} is missing; build the pages first.`);
    return file;
  };
  const admin = loadResource(page('admin'), [...PAGE_HEADERS, 'Cache-Control', REVALIDATE]);
  const files = staticFiles(folder, log);
  return [
    { path: '/', methods: ['GET', 'POST'], handle: createPortalPage(dirname(page('portal')), portal) },
    { path: `${API_ROOT}/admin/`, methods: ['GET'], handle: fromMemory(admin), isStaffs: true },
    { path: `${STATIC_ROOT}/admin/*`, methods: ['GET'], handle: files, isStaffs: true },
    { path: `${STATIC_ROOT}/*`, methods: ['GET'], handle: files },
  ];
}

function assetHeaders(file: string): string[] {
  return ['Cache-Control', HASHED_NAME.test(file) ? IMMUTABLE : REVALIDATE, ...ASSET_HEADERS];
}

function fromMemory(resource: Resource) {
  return (request: IncomingMessage, response: ServerResponse) => sendResource(resource, request, response);
}

function staticFiles(folder: string, log: Log): Mount['handle'] {
  const etags = new Map<string, string>();
  const resources = new Map<string, Resource>();
  for (const file of filesUnder(folder)) {
    if (/(^|\/)\.[^/]*$|\.(br|gz)$/.test(file)) continue;
    const path = file.slice(folder.length);
    const type = TYPES[extname(file)];
    if (type !== undefined && statSync(file).size <= KEPT_IN_MEMORY_AT_MOST) {
      resources.set(path, loadResource(file, ['Content-Type', type, ...assetHeaders(file)]));
    }
    etags.set(path, resources.get(path)?.etag ?? etagOf(readFileSync(file)));
  }

  const serve = sirv(folder, {
    gzip: true,
    brotli: true,
    extensions: [],
    setHeaders(response, path) {
      const headers = assetHeaders(path);
      for (let i = 0; i < headers.length; i += 2) response.setHeader(headers[i] ?? '', headers[i + 1] ?? '');
      const etag = etags.get(path);
      if (etag !== undefined) response.setHeader('ETag', etag);
    },
  });

  return (request, response, notFound) => {
    const url = (request.url ?? '').slice(STATIC_ROOT.length);
    const path = url.split('?', 1)[0] ?? '';
    // None of our names takes escapes; sirv would undo them, after the router has looked at whose the path is.
    if (path.includes('%')) return notFound();
    const resource = resources.get(path);
    if (resource !== undefined) return sendResource(resource, request, response);
    const etag = etags.get(path);
    if (etag !== undefined && isCurrent(request, etag)) {
      response.writeHead(304, ['ETag', etag, 'Cache-Control', REVALIDATE, ...ASSET_HEADERS]).end();
      return;
    }
    // sirv takes any range for a good one, and a file is not worth an error: such a client gets the whole of it.
    if (!isPlainRange(request.headers.range)) delete request.headers.range;
    // sirv never looks after the file it streams: unwatched, a client that leaves keeps it open for ever, and a file
    // that cannot be read ends the process.
    response.once('pipe', (file: Readable) => {
      response.once('close', () => file.destroy());
      file.once('error', error => {
        log.warn({ path, err: error }, 'static file unreadable');
        response.destroy();
      });
    });
    request.url = url;
    serve(request, response, notFound);
  };
}

/** By names and `stat` alone, because the packaged folder of the executable knows nothing finer. */
function filesUnder(folder: string): string[] {
  return readdirSync(folder)
    .map(name => join(folder, name))
    .flatMap(path => (statSync(path).isDirectory() ? filesUnder(path) : [path]));
}

function isPlainRange(range: string | undefined): boolean {
  const [, start, end] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  return start !== undefined && (end === '' || Number(end) >= Number(start));
}
