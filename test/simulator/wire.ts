/**
 * RouterOS API framing: a sentence is words, each behind its length in bytes, ended by a zero byte.
 * Source: MikroTik manual, "API", "API words".
 */

/** The peer sent a length byte that the protocol reserves; nothing after it can be framed. */
export class FramingError extends Error {
  override readonly name = 'FramingError';
}

const MAX_PREFIX = 5;

/** Grows one buffer over many sentences, so that ten thousand rows cost a few allocations. */
export class SentenceEncoder {
  #bytes: Buffer;
  #length = 0;

  constructor(initialBytes = 4_096) {
    this.#bytes = Buffer.allocUnsafe(initialBytes);
  }

  get length(): number {
    return this.#length;
  }

  sentence(words: readonly string[]): this {
    for (const word of words) this.#word(word);
    this.#reserve(1);
    this.#bytes[this.#length++] = 0;
    return this;
  }

  /** Hands over what was encoded and starts again with nothing. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(this.#bytes.length);
    this.#length = 0;
    return taken;
  }

  #word(text: string): void {
    const size = Buffer.byteLength(text);
    this.#reserve(size + MAX_PREFIX);
    this.#length = writeLength(this.#bytes, this.#length, size);
    this.#length += this.#bytes.write(text, this.#length);
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + extra));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

export function encodeSentence(words: readonly string[]): Buffer {
  return new SentenceEncoder().sentence(words).take();
}

/** Turns whatever pieces TCP delivers back into sentences. */
export class SentenceDecoder {
  #pending: Buffer = Buffer.alloc(0);
  #words: string[] = [];

  /**
   * @returns the sentences that this piece completed, in order; empty sentences are dropped, as the router does
   * @throws FramingError
   */
  push(piece: Buffer): string[][] {
    const bytes = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    const sentences: string[][] = [];
    let offset = 0;
    for (;;) {
      const prefix = readLength(bytes, offset);
      if (prefix === null || prefix.end + prefix.length > bytes.length) break;
      offset = prefix.end + prefix.length;
      if (prefix.length > 0) this.#words.push(bytes.toString('utf8', prefix.end, offset));
      else if (this.#words.length > 0) {
        sentences.push(this.#words);
        this.#words = [];
      }
    }
    this.#pending = bytes.subarray(offset);
    return sentences;
  }
}

function writeLength(bytes: Buffer, offset: number, length: number): number {
  if (length < 0x80) return bytes.writeUInt8(length, offset);
  if (length < 0x4000) return bytes.writeUInt16BE(length | 0x8000, offset);
  if (length < 0x200000) return bytes.writeUIntBE(length | 0xc00000, offset, 3);
  if (length < 0x10000000) return bytes.writeUInt32BE((length | 0xe0000000) >>> 0, offset);
  return bytes.writeUInt32BE(length, bytes.writeUInt8(0xf0, offset));
}

/** @returns the length and where its word starts, or null while the prefix itself is incomplete. */
function readLength(bytes: Buffer, offset: number): { length: number; end: number } | null {
  const first = bytes[offset];
  if (first === undefined) return null;
  if (first >= 0xf8) throw new FramingError(`reserved length byte 0x${first.toString(16)}`);
  const size = first < 0x80 ? 1 : first < 0xc0 ? 2 : first < 0xe0 ? 3 : first < 0xf0 ? 4 : 5;
  const end = offset + size;
  if (end > bytes.length) return null;
  if (size === 1) return { length: first, end };
  if (size === 2) return { length: bytes.readUInt16BE(offset) & 0x3fff, end };
  if (size === 3) return { length: bytes.readUIntBE(offset, 3) & 0x1fffff, end };
  if (size === 4) return { length: bytes.readUInt32BE(offset) & 0x0fffffff, end };
  return { length: bytes.readUInt32BE(offset + 1), end };
}
