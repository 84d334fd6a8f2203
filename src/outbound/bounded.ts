/** Bodies of others, which may never end. */

/** @returns null when there is more of it than `longest` bytes; the rest is left unread */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > longest) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
