/** One command sentence, taken apart. */
export interface Request {
  /** As sent: `/ip/hotspot/user/add`. */
  readonly command: string;
  /** `=name=value` words; of a word sent twice the last one counts. */
  readonly attributes: ReadonlyMap<string, string>;
  /** `?…` words without their question mark, in order. */
  readonly queries: readonly string[];
  readonly tag: string | undefined;
}

export function parseRequest(words: readonly string[]): Request {
  const [command = '', ...rest] = words;
  const attributes = new Map<string, string>();
  const queries: string[] = [];
  let tag: string | undefined;
  for (const word of rest) {
    if (word.startsWith('=')) {
      const [name, value] = cutAtEquals(word.slice(1));
      attributes.set(name, value ?? '');
    } else if (word.startsWith('?')) queries.push(word.slice(1));
    else if (word.startsWith('.tag=')) tag = word.slice('.tag='.length);
  }
  return { command, attributes, queries, tag };
}

/** The first `=` separates; everything after it, further equals signs too, is the value. */
export function cutAtEquals(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=');
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
