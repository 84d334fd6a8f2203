/** A file kept in memory in each encoding, with the headers of each made once. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Encoding = 'br' | 'gzip' | 'identity';

/** The best first. */
const COMPRESSED: readonly Encoding[] = ['br', 'gzip'];

interface Variant {
  readonly body: Buffer;
  readonly headers: readonly string[];
}

export interface Resource {
  readonly etag: string;
  readonly variants: ReadonlyMap<Encoding, Variant>;
  readonly notModified: readonly string[];
}

export interface Encoded {
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** @param headers flat, as `writeHead` takes them; may hold a `Vary` of their own */
export function resourceOf(content: Encoded, headers: readonly string[]): Resource {
  const etag = etagOf(content.identity);
  const shared = [...headers, 'ETag', etag, 'Vary', 'Accept-Encoding'];
  const variants = new Map<Encoding, Variant>();
  for (const [encoding, body] of Object.entries(content) as [Encoding, Buffer][]) {
    const encoded = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    variants.set(encoding, { body, headers: [...shared, ...encoded] });
  }
  return { etag, variants, notModified: shared };
}

/** A file with its compressed forms: `.br` and `.gz` beside it. */
export function loadResource(file: string, headers: readonly string[]): Resource {
  const content: Encoded = { identity: readFileSync(file) };
  if (existsSync(`${file}.br`)) content.br = readFileSync(`${file}.br`);
  if (existsSync(`${file}.gz`)) content.gzip = readFileSync(`${file}.gz`);
  return resourceOf(content, headers);
}

/** @param close makes the whole body for this request, where the resource holds no more than its start */
export function sendResource(
  resource: Resource,
  request: IncomingMessage,
  response: ServerResponse,
  close?: (encoding: Encoding) => Buffer,
): void {
  if (isCurrent(request, resource.etag)) {
    response.writeHead(304, resource.notModified as string[]).end();
    return;
  }
  const { variants } = resource;
  const accepted = request.headers['accept-encoding'];
  const compressed = COMPRESSED.find(encoding => variants.has(encoding) && accepts(accepted, encoding));
  const encoding = compressed ?? 'identity';
  const { headers, body: kept } = variants.get(encoding) as Variant;
  const body = close === undefined ? kept : close(encoding);
  response.writeHead(200, [...headers, 'Content-Length', String(body.length)]).end(body);
}

/** Weak, because all encodings of a file share it. */
export function etagOf(content: Buffer): string {
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

export function isCurrent(request: IncomingMessage, etag: string): boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return false;
  const strong = etag.slice(2);
  return known.split(',').some(tag => tag.trim().replace(/^W\//, '') === strong || tag.trim() === '*');
}

function accepts(header: string | undefined, encoding: Encoding): boolean {
  if (header === undefined) return false;
  const asked = header.split(',').find(part => part.trim().split(';', 1)[0]?.trim() === encoding);
  return asked !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(asked);
}
