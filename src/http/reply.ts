/** What a handler answers with. Made once and sent often, where the content allows it: a reply is never changed. */

export interface Reply {
  readonly status: number;
  /** null: the reply has no body. */
  readonly type: 'json' | 'text' | null;
  readonly body: string;
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

export function noContent(headers: readonly string[] = NO_HEADERS): Reply {
  return { status: 204, type: null, body: '', headers };
}
