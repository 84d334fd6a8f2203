/**
 * Which handler a request goes to. Paths without parameters are found in a map; only the rest meet polka's scan.
 * Every path answers with and without its trailing slash, HEAD wherever GET, and OPTIONS.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import polka, { type Request as PolkaRequest } from 'polka';

import type { Cors } from './cors.ts';
import type { Exchanges } from './exchange.ts';
import { json, noContent } from './reply.ts';
import type { Route } from './route.ts';

export const API_ROOT = '/api';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Something that is not of the API: a page, static files, another service. */
export interface Mount {
  /** A whole path, or with a trailing `*` everything that starts so: `/`, `/api/static/*`. */
  readonly path: string;
  /** True: not there for addresses outside the admin networks. */
  readonly isStaffs?: boolean;
  /** `GET` brings `HEAD` along. `any`: methods are the handler's own business. */
  readonly methods: readonly string[] | 'any';
  /** @param notFound answers 404, where the handler has nothing at that path after all */
  readonly handle: (request: IncomingMessage, response: ServerResponse, notFound: () => void) => void | Promise<void>;
}

export function createRouter(options: {
  routes: readonly Route[];
  mounts: readonly Mount[];
  exchanges: Exchanges;
  cors: Cors;
}): Handler {
  const { exchanges, cors } = options;
  const exact = new Map<string, Place>();
  const patterns = new Map<string, { pattern: RegExp; place: Place }>();
  const prefixes: { prefix: string; place: Place }[] = [];
  const scan = polka({
    onNoMatch: (request, response) => refuse(request, response, placeOf(request.path)),
    onError: (error, request, response) => exchanges.fail(error, request, response),
  });

  for (const { path, methods, handle } of options.mounts) {
    const handler: Handler = (request, response) =>
      handle(request, response, () => refuse(request, response, undefined));
    const place = newPlace();
    if (methods === 'any') place.any = handler;
    else for (const method of methods) addMethod(place, method, handler);
    if (path.endsWith('*')) prefixes.push({ prefix: path.slice(0, -1), place });
    else addExact(path, place);
  }
  for (const route of options.routes) {
    const path = API_ROOT + route.path;
    if (path.includes('/:')) addPattern(path, route);
    else {
      const place = exact.get(path) ?? newPlace();
      addMethod(place, route.method, (request, response) => exchanges.answer(route, request, response, {}));
      addExact(path, place);
    }
  }

  function addExact(path: string, place: Place): void {
    exact.set(path, place);
    if (path.length > 1) exact.set(path.replace(/\/$/, ''), place);
  }

  function addPattern(path: string, route: Route): void {
    const bare = path.replace(/\/$/, '');
    const pattern = new RegExp(`^${bare.replaceAll(/:([a-z_]+)/g, '(?<$1>[^/]+)')}/?$`);
    const shape = bare.replaceAll(/:[a-z_]+/g, ':');
    const known = patterns.get(shape) ?? { pattern, place: newPlace() };
    patterns.set(shape, known);
    const handle: Handler = (request, response) =>
      exchanges.answer(route, request, response, (request as PolkaRequest).params);
    addMethod(known.place, route.method, handle);
    scan.add(route.method, pattern, handle);
  }

  function placeOf(path: string): Place | undefined {
    const known = exact.get(path) ?? prefixes.find(({ prefix }) => path.startsWith(prefix))?.place;
    return known ?? [...patterns.values()].find(({ pattern }) => pattern.test(path))?.place;
  }

  function refuse(request: IncomingMessage, response: ServerResponse, place: Place | undefined): void {
    if (place === undefined) {
      exchanges.send(request, response, json(404, { error: 'Not found', message: 'There is nothing at this path.' }));
      return;
    }
    const message = `This path takes ${place.allow}.`;
    exchanges.send(request, response, json(405, { error: 'Method not allowed', message }, ['Allow', place.allow]));
  }

  function answerOptions(request: IncomingMessage, response: ServerResponse, place: Place | undefined): void {
    if (place === undefined) return refuse(request, response, place);
    const headers = ['Allow', place.allow, ...cors.preflight(request.headers, place.allow)];
    exchanges.send(request, response, noContent(headers));
  }

  return (request, response) => {
    const url = originForm(request);
    const question = url.indexOf('?');
    const path = question === -1 ? url : url.slice(0, question);
    const method = request.method ?? '';
    const place = exact.get(path) ?? prefixes.find(({ prefix }) => path.startsWith(prefix))?.place;
    const handle = place?.handlers.get(method) ?? place?.any;
    if (handle !== undefined) return handle(request, response);
    if (method === 'OPTIONS') return answerOptions(request, response, place ?? placeOf(path));
    if (place !== undefined) return refuse(request, response, place);
    return scan.handler(request as PolkaRequest, response, undefined as never);
  };
}

/** Proxies ask for `http://host/path`; from here on it is the path, whoever looks. */
function originForm(request: IncomingMessage): string {
  const { url = '/' } = request;
  if (url.startsWith('/')) return url;
  const rest = url.replace(/^https?:\/\/[^/?#]*/i, '');
  if (rest === url) return url;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return request.url;
}

interface Place {
  readonly handlers: Map<string, Handler>;
  any: Handler | undefined;
  /** For `Allow`. */
  allow: string;
}

function newPlace(): Place {
  return { handlers: new Map(), any: undefined, allow: 'OPTIONS' };
}

function addMethod(place: Place, method: string, handle: Handler): void {
  place.handlers.set(method, handle);
  if (method === 'GET') place.handlers.set('HEAD', handle);
  place.allow = [...place.handlers.keys(), 'OPTIONS'].join(', ');
}
