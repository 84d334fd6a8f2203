/**
 * The portal at `/`, the admin site at `/api/admin/`, and the files they name under `/api/static/`.
 *
 * The pages, and assets whose names carry a hash of their content, are served from memory, compressed beforehand.
 * Everything else is sirv's. ETags are made of content: modification times change with each start of the executable.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, dirname, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import sirv from 'sirv';

import type { Log } from '../domain/ports.ts';
import { policyWithInline, portalLanguage } from './portal-page.ts';
import { API_ROOT, type Mount } from './router.ts';
import { ASSET_HEADERS, PAGE_HEADERS, PAGE_POLICY } from './security-headers.ts';

const STATIC_ROOT = `${API_ROOT}/static`;
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/** `app-4F2K7QXA.js`, as esbuild names what it hashes. */
const HASHED_NAME = /[-.][A-Z0-9]{8}\.[a-z0-9]+$/;
const KEPT_IN_MEMORY_AT_MOST = 512 * 1_024;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

type Encoding = 'br' | 'gzip' | 'identity';

interface Variant {
  readonly body: Buffer;
  readonly headers: readonly string[];
}

interface Resource {
  readonly etag: string;
  readonly variants: ReadonlyMap<Encoding, Variant>;
  readonly notModified: readonly string[];
}

/**
 * @param folder holds `portal/index.html` and the portal in other languages (`portal/sw.html`), `admin/index.html`,
 *   and the files they name; `.br` and `.gz` beside a file are its compressed forms
 * @param language the portal's, where a phone asks for none that there is
 * @throws Error when one of the two pages is missing
 */
export function createPages(folder: string, log: Log, language = 'index'): Mount[] {
  const page = (site: string) => {
    const file = join(folder, site, 'index.html');
    if (!existsSync(file)) throw new Error(`The page ${file} is missing; build the pages first.`);
    return file;
  };
  const admin = load(page('admin'), [...PAGE_HEADERS, 'Cache-Control', REVALIDATE]);
  return [
    { path: '/', methods: ['GET'], handle: portal(dirname(page('portal')), language) },
    { path: `${API_ROOT}/admin/`, methods: ['GET'], handle: fromMemory(admin) },
    { path: `${STATIC_ROOT}/*`, methods: ['GET'], handle: staticFiles(folder, log) },
  ];
}

function portal(folder: string, language: string): Mount['handle'] {
  const documents = new Map<string, Resource>();
  for (const name of readdirSync(folder).filter(file => file.endsWith('.html'))) {
    const policy = policyWithInline(PAGE_POLICY, readFileSync(join(folder, name), 'utf8'));
    const headers = PAGE_HEADERS.map(header => (header === PAGE_POLICY ? policy : header));
    const shared = [...headers, 'Cache-Control', REVALIDATE, 'Vary', 'Accept-Language'];
    documents.set(basename(name, '.html'), load(join(folder, name), shared));
  }
  const fallback = documents.has(language) ? language : 'index';
  const available = new Set(documents.keys());
  return (request, response) => {
    const document = documents.get(portalLanguage(request, available, fallback));
    if (document !== undefined) sendResource(document, request, response);
  };
}

function fromMemory(resource: Resource) {
  return (request: IncomingMessage, response: ServerResponse) => sendResource(resource, request, response);
}

function sendResource(resource: Resource, request: IncomingMessage, response: ServerResponse): void {
  if (isCurrent(request, resource.etag)) {
    response.writeHead(304, resource.notModified as string[]).end();
    return;
  }
  const { variants } = resource;
  const accepted = request.headers['accept-encoding'];
  const variant =
    (accepts(accepted, 'br') && variants.get('br')) ||
    (accepts(accepted, 'gzip') && variants.get('gzip')) ||
    variants.get('identity');
  response.writeHead(200, variant?.headers as string[]).end(variant?.body);
}

function staticFiles(folder: string, log: Log): Mount['handle'] {
  const etags = new Map<string, string>();
  const resources = new Map<string, Resource>();
  for (const file of filesUnder(folder)) {
    if (/(^|\/)\.[^/]*$|\.(br|gz)$/.test(file)) continue;
    const path = file.slice(folder.length);
    const type = TYPES[extname(file)];
    if (HASHED_NAME.test(file) && type !== undefined && statSync(file).size <= KEPT_IN_MEMORY_AT_MOST) {
      resources.set(path, load(file, ['Content-Type', type, ...ASSET_HEADERS, 'Cache-Control', IMMUTABLE]));
    }
    etags.set(path, resources.get(path)?.etag ?? etagOf(readFileSync(file)));
  }

  const serve = sirv(folder, {
    gzip: true,
    brotli: true,
    extensions: [],
    setHeaders(response, path) {
      const headers = ['Cache-Control', HASHED_NAME.test(path) ? IMMUTABLE : REVALIDATE, ...ASSET_HEADERS];
      for (let i = 0; i < headers.length; i += 2) response.setHeader(headers[i] ?? '', headers[i + 1] ?? '');
      const etag = etags.get(path);
      if (etag !== undefined) response.setHeader('ETag', etag);
    },
  });

  return (request, response, notFound) => {
    const url = (request.url ?? '').slice(STATIC_ROOT.length);
    const path = url.split('?', 1)[0] ?? '';
    const resource = request.headers.range === undefined ? resources.get(path) : undefined;
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

/** A file and its compressed forms, with the headers of each made once. */
function load(file: string, headers: readonly string[]): Resource {
  const content = readFileSync(file);
  const etag = etagOf(content);
  const shared = [...headers, 'ETag', etag, 'Vary', 'Accept-Encoding'];
  const variants = new Map<Encoding, Variant>();
  const add = (encoding: Encoding, body: Buffer) => {
    const encoded = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    variants.set(encoding, { body, headers: [...shared, ...encoded, 'Content-Length', String(body.length)] });
  };
  add('identity', content);
  if (existsSync(`${file}.br`)) add('br', readFileSync(`${file}.br`));
  if (existsSync(`${file}.gz`)) add('gzip', readFileSync(`${file}.gz`));
  return { etag, variants, notModified: shared };
}

/** Weak, because all encodings of a file share it. */
function etagOf(content: Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

function isCurrent(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const strong = etag.slice(2);
  return known.split(',').some(tag => tag.trim().replace(/^W\//, '') === strong || tag.trim() === '*');
}

function accepts(header: string | undefined, encoding: 'br' | 'gzip'): boolean {
  if (header === undefined) return false;
  const asked = header.split(',').find(part => part.trim().split(';', 1)[0]?.trim() === encoding);
  return asked !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(asked);
}

function isPlainRange(range: string | undefined): boolean {
  const [, start, end] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  return start !== undefined && (end === '' || Number(end) >= Number(start));
}
