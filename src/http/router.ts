/** Every path answers with and without its trailing slash, HEAD wherever GET, and OPTIONS. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import polka, { type Request as PolkaRequest } from 'polka';

import type { Cors } from './cors.ts';
import { json, noContent } from './reply.ts';
import type { Responder } from './responder.ts';
import type { Route } from './route.ts';

export const API_ROOT = '/api';

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

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
  responder: Responder;
  cors: Cors;
}): (request: IncomingMessage, response: ServerResponse) => void {
  const { responder, cors } = options;
  const app = polka({ onNoMatch: notFound, onError: responder.fail });
  // Polka tries every pattern that it has on each request: 2.4 µs for ours. What needs none is found in a map.
  const whole = new Map<string, ReturnType<typeof app.find>>();
  const find = app.find.bind(app);
  app.find = (method, path) => whole.get(path) ?? find(method, path);

  for (const { path, methods, handle } of options.mounts) {
    const handler: Handler = (request, response) => handle(request, response, () => notFound(request, response));
    add(path, methods === 'any' ? handler : byMethod(new Map(methods.map(method => [method, handler]))));
  }
  for (const [path, routes = []] of Map.groupBy(options.routes, route => route.path)) {
    add(API_ROOT + path, byMethod(new Map(routes.map(route => [route.method, answer(route)]))));
  }

  function add(path: string, handler: Handler): void {
    const bare = path.replace(/\/$/, '');
    if (/[:*]/.test(path)) app.all(patternOf(bare), handler);
    else for (const either of [path, bare]) whole.set(either, { params: {}, handlers: [handler] });
  }

  function answer(route: Route): Handler {
    return (request, response) => responder.answer(route, request, response, (request as PolkaRequest).params);
  }

  function byMethod(handlers: Map<string, Handler>): Handler {
    const get = handlers.get('GET');
    if (get !== undefined) handlers.set('HEAD', get);
    const allow = [...handlers.keys(), 'OPTIONS'].join(', ');
    const refusal = json(405, { error: 'Method not allowed', message: `This path takes ${allow}.` }, ['Allow', allow]);
    return (request, response) => {
      const handle = handlers.get(request.method ?? '');
      if (handle !== undefined) return handle(request, response);
      if (request.method !== 'OPTIONS') return responder.send(request, response, refusal);
      const headers = ['Allow', allow, ...cors.preflight(request.headers, allow)];
      responder.send(request, response, noContent(headers));
    };
  }

  function notFound(request: IncomingMessage, response: ServerResponse): void {
    responder.send(request, response, json(404, { error: 'Not found', message: 'There is nothing at this path.' }));
  }

  return (request, response) => {
    request.url = originForm(request.url);
    void app.handler(request as PolkaRequest, response, undefined as never);
  };
}

/** Polka's own patterns do not tell upper case from lower. */
function patternOf(path: string): RegExp {
  if (path.endsWith('*')) return new RegExp(`^${path.slice(0, -1)}`);
  return new RegExp(`^${path.replaceAll(/:([a-z_]+)/g, '(?<$1>[^/]+)')}/?$`);
}

/** Proxies send `http://host/path`; this leaves the path. */
function originForm(url = '/'): string {
  if (url.startsWith('/')) return url;
  const rest = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest === url || rest.startsWith('/') ? rest : `/${rest}`;
}
