/** What a handler answers with. Never changed once it is made, so one reply may be sent many times. */

type Type = 'json' | 'captive' | 'text' | 'csv' | 'events';

/** `Value` is what the body holds, where it is JSON; it is there for the compiler alone. */
export class Reply<out Value = unknown> {
  declare readonly value?: Value;
  readonly status: number;
  /** null: the reply has no body. */
  readonly type: Type | null;
  readonly body: string;
  /** Further headers, flat: name, value, name, value. */
  readonly headers: readonly string[];
  /** Sent instead of the body, each piece when the client has taken the one before. */
  readonly pieces: AsyncIterable<string> | undefined;

  constructor(
    status: number,
    type: Type | null,
    body: string,
    headers: readonly string[],
    pieces?: AsyncIterable<string>,
  ) {
    this.status = status;
    this.type = type;
    this.body = body;
    this.headers = headers;
    this.pieces = pieces;
  }
}

const NO_HEADERS: readonly string[] = [];

export const json = <Value>(status: number, value: Value, headers = NO_HEADERS): Reply<Value> =>
  new Reply(status, 'json', JSON.stringify(value), headers);

/** Plain text has no shape: it is what any endpoint may answer with. */
export const text = (status: number, body: string, headers = NO_HEADERS): Reply<never> =>
  new Reply(status, 'text', body, headers);

/** A reply too large for memory, made while it is sent. An error meanwhile closes the connection. */
export const streamed = (type: Type, pieces: AsyncIterable<string>, headers = NO_HEADERS): Reply<never> =>
  new Reply(200, type, '', headers, pieces);

export const noContent = (headers = NO_HEADERS): Reply<never> => new Reply(204, null, '', headers);
