/**
 * A RouterOS API client of a hundred lines that believes nothing: it frames by hand, keeps every word and
 * every chunk, and shares no code with the simulator or with the product's own client.
 */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Reply {
  /** Words of each sentence up to and with `!done` (or `!fatal`). */
  sentences: string[][];
  /** The `=name=value` words of each `!re`. */
  rows: Record<string, string>[];
  /** Value of `=ret=`. */
  ret: string | undefined;
  trap: { message: string; category: string | undefined } | null;
}

const REPLY_TIMEOUT_MS = 60_000;

export class RawApiClient {
  readonly chunks: Buffer[] = [];
  readonly sentences: string[][] = [];
  readonly #socket: Socket;
  #pending = Buffer.alloc(0);
  #words: string[] = [];
  #taken = 0;
  #wake: () => void = () => {};
  /** How the connection ended; null while it lives. */
  ended: { code: string | null } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    let code: string | null = null;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? error.message;
    });
    socket.on('close', () => {
      this.ended = { code };
      this.#wake();
    });
    socket.on('data', chunk => {
      this.chunks.push(chunk);
      this.#pending = Buffer.concat([this.#pending, chunk]);
      this.#frame();
      this.#wake();
    });
  }

  static async open(port: number, options: { tls?: boolean } = {}): Promise<RawApiClient> {
    const socket = options.tls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once(options.tls ? 'secureConnect' : 'connect', () => resolve());
      socket.once('error', reject);
    });
    return new RawApiClient(socket);
  }

  static async loggedIn(port: number, options: { tls?: boolean } = {}): Promise<RawApiClient> {
    const client = await RawApiClient.open(port, options);
    await client.talk('/login', '=name=admin', '=password=');
    return client;
  }

  close(): void {
    this.#socket.destroy();
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  send(...words: string[]): void {
    this.write(frame(words));
  }

  /** Sends one sentence and waits for the reply that ends it. */
  async talk(...words: string[]): Promise<Reply> {
    this.send(...words);
    return this.reply();
  }

  /** The next reply, whoever asked for it. */
  async reply(): Promise<Reply> {
    const from = this.#taken;
    for (;;) {
      const sentence = await this.#sentence();
      if (sentence[0] === '!done' || sentence[0] === '!fatal') return asReply(this.sentences.slice(from, this.#taken));
    }
  }

  /** Waits until the connection is over. */
  async end(): Promise<{ code: string | null }> {
    while (this.ended === null) await this.#something();
    return this.ended;
  }

  async #sentence(): Promise<string[]> {
    for (;;) {
      const sentence = this.sentences[this.#taken];
      if (sentence !== undefined) {
        this.#taken += 1;
        return sentence;
      }
      if (this.ended !== null) throw new Error(`connection ended (${this.ended.code}) before the reply did`);
      await this.#something();
    }
  }

  async #something(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no reply in time')), REPLY_TIMEOUT_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #frame(): void {
    let offset = 0;
    for (;;) {
      const first = this.#pending[offset];
      if (first === undefined) break;
      const extra = first < 0x80 ? 0 : first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      if (offset + 1 + extra > this.#pending.length) break;
      let length = extra === 4 ? 0 : first & (0x7f >> extra);
      for (let place = 1; place <= extra; place += 1) length = length * 256 + (this.#pending[offset + place] ?? 0);
      const start = offset + 1 + extra;
      if (start + length > this.#pending.length) break;
      offset = start + length;
      if (length > 0) this.#words.push(this.#pending.toString('utf8', start, offset));
      else this.sentences.push(this.#words.splice(0));
    }
    this.#pending = this.#pending.subarray(offset);
  }
}

export function frame(words: readonly string[]): Buffer {
  const parts = words.flatMap(word => {
    const bytes = Buffer.from(word);
    return [prefix(bytes.length), bytes];
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

function prefix(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length < 0x4000) return Buffer.from([0x80 | (length >> 8), length & 0xff]);
  if (length < 0x200000) return Buffer.from([0xc0 | (length >> 16), (length >> 8) & 0xff, length & 0xff]);
  return Buffer.from([0xe0 | (length >> 24), (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff]);
}

/** What RouterOS before 6.43 wants to hear: `00` and MD5 over a zero byte, the password and the challenge. */
export function challengeResponse(password: string, challengeHex: string): string {
  const bytes = Buffer.concat([Buffer.from([0]), Buffer.from(password), Buffer.from(challengeHex, 'hex')]);
  return `00${createHash('md5').update(bytes).digest('hex')}`;
}

function asReply(sentences: string[][]): Reply {
  const attributes = (words: string[]) =>
    Object.fromEntries(
      words
        .filter(word => word.startsWith('='))
        .map(word => [word.slice(1, word.indexOf('=', 1)), word.slice(word.indexOf('=', 1) + 1)]),
    );
  const trap = sentences.find(([first]) => first === '!trap');
  const trapped = trap && attributes(trap);
  return {
    sentences,
    rows: sentences.filter(([first]) => first === '!re').map(attributes),
    ret: attributes(sentences.at(-1) ?? [])['ret'],
    trap: trapped === undefined ? null : { message: trapped['message'] ?? '', category: trapped['category'] },
  };
}
