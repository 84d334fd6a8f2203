/** What a handler answers with. Never changed once it is made, so one reply may be sent many times. */

export interface Reply {
  readonly status: number;
  /** null: the reply has no body. */
  readonly type: 'json' | 'captive' | 'text' | 'csv' | 'events' | null;
  readonly body: string;
  /** Sent instead of the body, each piece when the client has taken the one before. */
  readonly pieces?: AsyncIterable<string>;
  /** Further headers, flat: name, value, name, value. */
  readonly headers: readonly string[];
}

const NO_HEADERS: readonly string[] = [];

export function json(status: number, value: unknown, headers: readonly string[] = NO_HEADERS): Reply {
  return { status, type: 'json', body: JSON.stringify(value), headers };
}

export function text(status: number, body: string, headers: readonly string[] = NO_HEADERS): Reply {
  return { status, type: 'text', body, headers };
}

/** A reply too large to hold: it is made while it is sent. A failure on the way cuts the connection. */
export function streamed(
  type: NonNullable<Reply['type']>,
  pieces: AsyncIterable<string>,
  headers: readonly string[] = NO_HEADERS,
): Reply {
  return { status: 200, type, body: '', pieces, headers };
}

export function noContent(headers: readonly string[] = NO_HEADERS): Reply {
  return { status: 204, type: null, body: '', headers };
}
