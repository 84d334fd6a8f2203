/**
 * Endpoints, and who answers them: a contract, a decision, a view.
 *
 *     api.handle(generateVouchers, async ({ body, actor }) =>
 *       generatedView(await commit('generateVouchers', camelCased(body), actor)),
 *     );
 */
import type { IncomingHttpHeaders } from 'node:http';
import type * as v from 'valibot';

import type { Auth, Endpoint, RefusalOf, ReplyOf } from '../contract/endpoint.ts';
import { type Parsers, withParsers } from '../contract/fields.ts';
import type { Actor } from '../domain/audit.ts';
import type { Caller } from './credentials.ts';
import type { RateLimit } from './rate-limits.ts';
import { Reply } from './reply.ts';

const PARTS = ['params', 'query', 'body'] as const;
type Part = (typeof PARTS)[number];

/** What a part of a request becomes. */
type Read<E extends Endpoint, P extends Part> = E extends { readonly [Key in P]: infer Schema }
  ? Schema extends 'bytes'
    ? Buffer
    : Schema extends v.GenericSchema
      ? v.InferOutput<Schema>
      : undefined
  : undefined;

type Public<A extends Auth, Anybody, Admin> = A extends 'none' ? Anybody : Admin;

/** What a handler gets. */
export interface Input<E extends Endpoint = Endpoint> {
  readonly body: Read<E, 'body'>;
  readonly query: Read<E, 'query'>;
  readonly params: Read<E, 'params'>;
  /** The admin behind the request; null on public routes. */
  readonly caller: Public<E['auth'], null, Caller>;
  /** The same for the audit log. On public routes, whose credentials came along; null: none, or they are not valid. */
  readonly actor: Public<E['auth'], Actor | null, Actor>;
  /** Canonical address, behind trusted proxies too. */
  readonly clientIp: string;
  /** Where errors may be plain text: the client wants JSON. See docs/rules.md: Plain text or JSON. */
  readonly wantsJson: boolean;
  readonly headers: IncomingHttpHeaders;
  /** The raw query with its `?`, or empty. */
  readonly search: string;
  readonly requestId: string;
}

/** The body of success, or a reply that says more than its body. */
type Answer<E extends Endpoint> = ReplyOf<E> | Reply<ReplyOf<E> | RefusalOf<E>>;

interface Options {
  /** Counted per client address before anything else of the request is looked at. */
  limit?: RateLimit;
}

/** An endpoint at one of its paths, with who answers it. */
export interface Route extends Endpoint, Readonly<Options> {
  readonly path: string;
  /** Its input is what the schemas have read; its types have done their work by now. */
  readonly handle: (input: never) => Reply | Promise<Reply>;
}

export interface Api {
  readonly routes: readonly Route[];
  /** Serves an endpoint as its contract has it. */
  handle<const E extends Endpoint>(
    endpoint: E,
    handler: (input: Input<E>) => Answer<E> | Promise<Answer<E>>,
    options?: Options,
  ): void;
}

/** Collects the routes of all resources; `createHttpServer` serves them. */
export function createApi(parsers: Parsers): Api {
  const routes: Route[] = [];
  return {
    routes,
    handle(endpoint, handler, options = {}) {
      const { method, status = 200, type = 'json' } = endpoint;
      const schemas: { [P in Part]?: v.GenericSchema } = {};
      for (const part of PARTS) {
        const schema: Endpoint[Part] = endpoint[part];
        if (typeof schema === 'object') schemas[part] = withParsers(schema, parsers);
      }
      const reply = (value: unknown) =>
        value instanceof Reply ? value : new Reply(status, type, JSON.stringify(value), []);
      for (const path of [endpoint.path].flat()) {
        if (!/^\/(:?[a-z_-]+\/)+$/.test(path)) throw new Error(`Route path "${path}" is not of the form /a/:b/.`);
        if (routes.some(known => known.method === method && known.path === path)) {
          throw new Error(`${method} ${path} is registered twice.`);
        }
        routes.push({
          ...endpoint,
          ...schemas,
          ...options,
          path,
          handle(input) {
            const answer: unknown = handler(input);
            return answer instanceof Promise ? answer.then(reply) : reply(answer);
          },
        });
      }
    },
  };
}
