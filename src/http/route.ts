/**
 * Endpoints as declarations: a route reads as schema, decision, view.
 *
 *     api.post('/vouchers/redeem/', route({ auth: 'none', body: Redeem, errors: 'voucher' }, async ({ body }) =>
 *       json(200, redeemedView(await commit('redeemVoucher', body))),
 *     ));
 */
import type { IncomingHttpHeaders } from 'node:http';
import type * as v from 'valibot';

import type { Auth, Endpoint as Contract, Method, RefusalOf, ReplyOf } from '../contract/endpoint.ts';
import { type Readers, readBy } from '../contract/fields.ts';
import type { Actor } from '../domain/audit.ts';
import type { Accepted } from './body.ts';
import type { Caller } from './credentials.ts';
import type { ErrorShape } from './errors.ts';
import type { Schema } from './fields.ts';
import type { RateLimit } from './rate-limits.ts';
import { Reply } from './reply.ts';

export type { Auth, Method };

/** `bytes`: the body as it was sent, up to the limit, of any type. */
export type BodySpec = Schema | 'bytes' | undefined;
export type PartSpec = Schema | undefined;

export interface RouteSpec<A extends Auth, B extends BodySpec, Q extends PartSpec, P extends PartSpec> {
  auth: A;
  body?: B;
  query?: Q;
  params?: P;
  /** Content types of the body; `json` unless said otherwise. */
  accepts?: Accepted;
  /** Bytes of the body at most; 64 KiB unless said otherwise. */
  bodyLimit?: number;
  /** Counted per client address before anything else of the request is looked at. */
  limit?: RateLimit;
  /** Body shape of errors; `api` unless said otherwise. */
  errors?: ErrorShape;
  /** True: errors are plain text unless the client wants JSON (docs/rules.md: Plain text or JSON). */
  plainErrors?: boolean;
}

type OutputOf<S extends BodySpec> = S extends 'bytes'
  ? Buffer
  : S extends v.GenericSchema
    ? v.InferOutput<S>
    : undefined;

/** What a handler gets. */
export interface Input<
  A extends Auth = Auth,
  B extends BodySpec = BodySpec,
  Q extends PartSpec = PartSpec,
  P extends PartSpec = PartSpec,
> {
  readonly body: OutputOf<B>;
  readonly query: OutputOf<Q>;
  readonly params: OutputOf<P>;
  /** The admin behind the request; null on public routes. */
  readonly caller: A extends 'none' ? null : Caller;
  /** The same for the audit log. On public routes, whose credentials came along; null: none, or they are not valid. */
  readonly actor: A extends 'none' ? Actor | null : Actor;
  /** Canonical address, behind trusted proxies too. */
  readonly clientIp: string;
  /** Where errors may be plain text: the client wants JSON. See docs/rules.md: Plain text or JSON. */
  readonly wantsJson: boolean;
  readonly headers: IncomingHttpHeaders;
  /** The raw query with its `?`, or empty. */
  readonly search: string;
  readonly requestId: string;
}

/** A route before it has a path. Its types have done their work by now. */
export interface Endpoint {
  readonly spec: RouteSpec<Auth, BodySpec, PartSpec, PartSpec>;
  readonly handle: (input: Input) => Reply | Promise<Reply>;
}

export interface Route extends Endpoint {
  readonly method: Method;
  /** Below the API root, with a trailing slash: `/user-status/:phone_number/`. */
  readonly path: string;
}

export function route<
  A extends Auth,
  const B extends BodySpec = undefined,
  Q extends PartSpec = undefined,
  P extends PartSpec = undefined,
>(spec: RouteSpec<A, B, Q, P>, handle: (input: Input<A, B, Q, P>) => Reply | Promise<Reply>): Endpoint {
  return { spec, handle };
}

/** Paths of one endpoint: one, or a path and its aliases. */
type Paths = string | readonly string[];

/** The schema that a contract has for a part of its requests. */
type Part<C extends Contract, Name extends 'body' | 'query' | 'params'> = C extends { readonly [Key in Name]: infer S }
  ? S extends BodySpec
    ? S
    : undefined
  : undefined;

type PartOf<C extends Contract, Name extends 'query' | 'params'> = Exclude<Part<C, Name>, 'bytes'>;

export type InputOf<C extends Contract> = Input<C['auth'], Part<C, 'body'>, PartOf<C, 'query'>, PartOf<C, 'params'>>;

/** The body of success, or a reply that says more than its body. */
type Answer<C extends Contract> = ReplyOf<C> | Reply<ReplyOf<C> | RefusalOf<C>>;

export interface Api {
  readonly routes: readonly Route[];
  /** Serves an endpoint as its contract has it. */
  handle<const C extends Contract>(
    contract: C,
    handler: (input: InputOf<C>) => Answer<C> | Promise<Answer<C>>,
    options?: Pick<RouteSpec<Auth, BodySpec, PartSpec, PartSpec>, 'limit'>,
  ): void;
  get(paths: Paths, endpoint: Endpoint): void;
  post(paths: Paths, endpoint: Endpoint): void;
  put(paths: Paths, endpoint: Endpoint): void;
  delete(paths: Paths, endpoint: Endpoint): void;
}

/** Collects the routes of all resources; `createHttpServer` serves them. */
export function createApi(readers: Readers = {}): Api {
  const routes: Route[] = [];
  const add =
    (method: Method) =>
    (paths: Paths, endpoint: Endpoint): void => {
      for (const path of typeof paths === 'string' ? [paths] : paths) {
        if (!/^\/(:?[a-z_-]+\/)+$/.test(path)) throw new Error(`Route path "${path}" is not of the form /a/:b/.`);
        if (routes.some(known => known.method === method && known.path === path)) {
          throw new Error(`${method} ${path} is registered twice.`);
        }
        routes.push({ ...endpoint, method, path });
      }
    };
  const bound = <S extends BodySpec>(schema: S) => (typeof schema === 'object' ? readBy(schema, readers) : schema);
  const handle: Api['handle'] = (contract, handler, options = {}) => {
    const { method, path, status = 200, type = 'json', body, query, params } = contract;
    const spec = { ...contract, ...options, body: bound(body), query: bound(query), params: bound(params) };
    const reply = (value: unknown) =>
      value instanceof Reply ? value : new Reply(status, type, JSON.stringify(value), []);
    add(method)(path, {
      spec,
      handle(input) {
        const answer: unknown = handler(input);
        return answer instanceof Promise ? answer.then(reply) : reply(answer);
      },
    });
  };
  return { routes, handle, get: add('GET'), post: add('POST'), put: add('PUT'), delete: add('DELETE') };
}
