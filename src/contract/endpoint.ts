/**
 * What an endpoint is: its path, who may call it, what it takes, and what it answers. The route, the OpenAPI
 * document, the pages' types and the tests of replies are all made from it.
 */
import * as v from 'valibot';

import { Pagination } from './values.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What admins may do, each role what the ones before it may. */
export type Role = 'cashier' | 'staff' | 'owner';

/** `none`: public. A role: an admin with at least that role. */
export type Auth = 'none' | Role;

/**
 * Which body a failure has; the schemas are in `failures.ts`.
 * `api` {error, message} · `payment` and code · `voucher` and success, code · `action` and success ·
 * `router` {success, message} · `router-auth` and error, auth-state.
 */
export type ErrorShape = 'api' | 'payment' | 'voucher' | 'action' | 'router' | 'router-auth';

/** Content types of bodies that are read into fields. */
export type Accepted = 'json' | 'json-or-form';

export type ReplyType = 'json' | 'captive' | 'csv' | 'events';

export interface Endpoint {
  readonly method: Method;
  /** Below the API root, with a trailing slash: `/user-status/:phone_number/`. A path and its aliases. */
  readonly path: string | readonly string[];
  /** What it is for, in a few words. */
  readonly summary: string;
  readonly auth: Auth;
  readonly params?: v.GenericSchema;
  readonly query?: v.GenericSchema;
  /** `bytes`: the body as it was sent, of any type. */
  readonly body?: v.GenericSchema | 'bytes';
  /** Content types of the body; `json` unless said otherwise. */
  readonly accepts?: Accepted;
  /** Bytes of the body at most; 64 KiB unless said otherwise. */
  readonly bodyLimit?: number;
  /** The body of success. */
  readonly reply: v.GenericSchema;
  /** Of success; 200 unless said otherwise. */
  readonly status?: 200 | 201;
  /** Of the body of success; `json` unless said otherwise. */
  readonly type?: ReplyType;
  /**
   * True: plain text, success and refusal, for a caller that does not ask for JSON
   * (docs/rules.md: Plain text or JSON).
   */
  readonly plain?: true;
  /** Body shape of failures; `api` unless said otherwise. */
  readonly errors?: ErrorShape;
  /** Statuses of refusals beyond those that every endpoint of its kind has (400, 403, 404, 429, 500, 503). */
  readonly refuses?: readonly (400 | 401 | 402 | 403 | 404 | 409 | 410 | 429 | 500 | 502 | 503)[];
  /** Refusals whose body has a shape of its own, by status. */
  readonly refusals?: Readonly<Record<number, v.GenericSchema>>;
}

export const endpoint = <const E extends Endpoint>(declared: E): E => declared;

/** What the body of success holds. */
export type ReplyOf<E extends Endpoint> = v.InferOutput<E['reply']>;

/** What a refusal holds whose body has a shape of its own. */
export type RefusalOf<E extends Endpoint> = E extends { readonly refusals: Readonly<Record<number, infer S>> }
  ? S extends v.GenericSchema
    ? v.InferOutput<S>
    : never
  : never;

/** The reply of a read. */
export const found = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object({ success: v.literal(true), ...entries });

/** The reply of a write. */
export const done = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object({ success: v.literal(true), message: v.string(), ...entries });

/** A page of a list: `paged('users', User, {})`. */
export function paged<const Name extends string, Row extends v.GenericSchema, const More extends v.ObjectEntries>(
  name: Name,
  row: Row,
  more: More,
) {
  const rows = { [name]: v.array(row) } as { [Key in Name]: v.ArraySchema<Row, undefined> };
  return v.object({ success: v.literal(true), ...rows, pagination: Pagination, ...more });
}
