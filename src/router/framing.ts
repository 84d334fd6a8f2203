/**
 * The RouterOS API's framing: length-prefixed words, sentences of words ended by an empty word, text in UTF-8.
 * Source: RouterOS manual, "API", sections "API words" and "API sentences".
 */

/** In bytes; longer than any word a hotspot router sends. A peer that announces more does not speak this protocol. */
export const LONGEST_WORD = 4 * 1024 * 1024;
/** Of all words of a sentence together. */
const LONGEST_SENTENCE = LONGEST_WORD;
/** A router sends none; so many of them are noise. */
const MOST_EMPTY_SENTENCES = 1_000;
/** What a word takes of memory beside its text: a sentence of empty-looking words must not be free. */
const WORD_OVERHEAD = 32;

const EMPTY = Buffer.alloc(0);
const LONGEST_PREFIX = 5;

/** The bytes are not those of a RouterOS API. */
export class FramingError extends Error {
  override readonly name = 'FramingError';
}

/** One word as it goes over the wire: its length in bytes, then its text. The empty word ends a sentence. */
export function encodeWord(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const word = Buffer.alloc(LONGEST_PREFIX + length);
  const start = writeLength(word, length);
  return word.subarray(0, start + word.write(text, start));
}

function writeLength(word: Buffer, length: number): number {
  if (length < 0x80) return word.writeUInt8(length);
  if (length < 0x4000) return word.writeUInt16BE(length | 0x8000);
  if (length < 0x20_0000) return word.writeUIntBE(length | 0xc0_0000, 0, 3);
  if (length < 0x1000_0000) return word.writeUInt32BE(length + 0xe000_0000);
  return word.writeUInt32BE(length, word.writeUInt8(0xf0));
}

/** Cuts a stream of bytes, in pieces of any size, into sentences. */
export class SentenceReader {
  #bytes: Buffer = EMPTY;
  #at = 0;
  /** Pieces not yet joined to `#bytes`, so that a long word in many pieces is copied once. */
  #waiting: Buffer[] = [];
  #waitingSize = 0;
  #words: string[] = [];
  /** Of `#words`, with what they take beside their text. */
  #size = 0;
  /** Empty sentences in a row. */
  #empty = 0;

  /** Bytes that were pushed and not read yet. */
  get backlog(): number {
    return this.#bytes.length - this.#at + this.#waitingSize;
  }

  push(piece: Buffer): void {
    this.#waiting.push(piece);
    this.#waitingSize += piece.length;
  }

  /**
   * @returns the words of the next whole sentence, at least one; null when more bytes are needed
   * @throws FramingError when the bytes make no sense
   */
  next(): string[] | null {
    for (let word = this.#word(); word !== null; word = this.#word()) {
      if (word !== '') {
        this.#words.push(word);
      } else if (this.#words.length > 0) {
        const sentence = this.#words;
        this.#words = [];
        this.#size = 0;
        this.#empty = 0;
        return sentence;
      } else {
        this.#empty += 1;
        if (this.#empty > MOST_EMPTY_SENTENCES) throw new FramingError('empty sentences without an end');
      }
    }
    return null;
  }

  #word(): string | null {
    if (!this.#has(1)) return null;
    const first = this.#byte(0);
    if (first >= 0xf8) throw new FramingError(`reserved control byte 0x${first.toString(16)}`);
    const prefix = first < 0x80 ? 1 : first < 0xc0 ? 2 : first < 0xe0 ? 3 : first < 0xf0 ? 4 : 5;
    if (!this.#has(prefix)) return null;
    let length = prefix === 5 ? 0 : first & (0xff >> prefix);
    for (let index = 1; index < prefix; index += 1) length = length * 0x100 + this.#byte(index);
    if (length > LONGEST_WORD) throw new FramingError(`a word of ${length} bytes`);
    if (this.#size + length > LONGEST_SENTENCE) throw new FramingError('a sentence without an end');
    if (!this.#has(prefix + length)) return null;
    const start = this.#at + prefix;
    this.#at = start + length;
    if (length > 0) this.#size += length + WORD_OVERHEAD;
    return this.#bytes.toString('utf8', start, this.#at);
  }

  #byte(offset: number): number {
    return this.#bytes[this.#at + offset] ?? 0;
  }

  #has(count: number): boolean {
    const joined = this.#bytes.length - this.#at;
    if (joined >= count) return true;
    if (joined + this.#waitingSize < count) return false;
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), ...this.#waiting]);
    this.#at = 0;
    this.#waiting = [];
    this.#waitingSize = 0;
    return true;
  }
}
