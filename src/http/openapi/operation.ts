/** What is said of an operation beyond what its route knows of itself. */
import type { JsonSchema } from '../fields.ts';
import { exactly, list, object, text, the } from './schemas.ts';

export interface Operation {
  summary: string;
  /** The body of success. */
  reply: JsonSchema;
  /** Of success; 200 unless said otherwise. */
  status?: 200 | 201;
  /** Content type of success; JSON unless said otherwise. */
  type?: 'application/json' | 'application/captive+json' | 'text/csv' | 'text/event-stream';
  /** True: success and refusal are plain text for a caller that does not ask for JSON. */
  plain?: true;
  /** Statuses of refusals beyond those that follow from the route (400, 403, 404, 429, 500, 503). */
  refuses?: readonly (400 | 401 | 402 | 403 | 404 | 409 | 410 | 500 | 502)[];
  /** A refusal whose body has a shape of its own. */
  refusals?: Readonly<Record<number, JsonSchema>>;
}

/** By method and path of the route, such as `GET /user-status/:phone_number/`. */
export type Operations = Readonly<Record<string, Operation>>;

/** The reply of a write. */
export const done = (more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  object({ success: exactly(true), message: text, ...more });

export const found = (more: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  object({ success: exactly(true), ...more });

/** A page of a list. */
export const paged = (name: string, record: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema =>
  found({ [name]: list(record), pagination: the.Pagination, ...more });
