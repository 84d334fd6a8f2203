/**
 * node-routeros 1.6.9 with its faults corrected. The only file that imports it.
 *
 * Used as they are: `Channel` (a tag per command; `=key=value` words to rows; `data`, `done` and `trap` events, whose
 * `trap` still has the category that `Channel.write()`'s own promise loses), `Connector`'s opening of TCP and TLS
 * sockets and its wiring to a receiver, `Receiver`'s table of tags.
 *
 * Corrected here: framing and text (`framing.ts`), `!empty`, unknown tags and replies, `!fatal`'s reason, how a
 * connection's end is reported, the idle timeout, one packet a command, long replies that block the event loop.
 *
 * Not used: `Transmitter`, which writes win1252 and prints passwords. `RouterOSAPI`, whose promises never settle when
 * a connection dies, whose errors have no listener, and whose old-style login breaks on a password beyond ASCII;
 * `link.ts` stands in its place. The library is archived upstream, so members it declares private are reached by
 * name: they will not change.
 */
import type { Socket } from 'node:net';
import { type ConnectionOptions, TLSSocket } from 'node:tls';
import { Channel, Connector, Receiver } from 'node-routeros';
import { encodeWord, FramingError, SentenceReader } from './framing.ts';

export { Channel };

/** The router ended the connection, and said why. */
export class RouterFatal extends Error {
  override readonly name = 'RouterFatal';
}

/** About 3 ms of work on a small PC. */
const SENTENCES_PER_SLICE = 200;
/** How long an idle connection stays silent before the kernel looks whether the peer is still there. */
const TCP_KEEPALIVE_MS = 30_000;
/** Bytes received and not yet delivered, above which the router has to wait: what it sends faster stays with it. */
const MOST_BACKLOG = 1_024 * 1_024;
/** Bytes in a row that no call asked for; the rest of a long reply that was given up is far less. */
const MOST_UNASKED = 64 * 1_024 * 1_024;
const CHANNEL_REPLIES = new Set(['!re', '!done', '!trap']);

/** `Receiver` with framing that is right at every split, and nothing in it that can throw into the socket. */
class SlicedReceiver extends Receiver {
  readonly #sentences = new SentenceReader();
  readonly #broken: (cause: Error) => void;
  #slice: NodeJS.Immediate | null = null;
  #whenDrained: (() => void) | null = null;
  readonly #socket: Socket;
  /** Bytes since the last sentence that a call was waiting for. */
  #unasked = 0;

  constructor(socket: Socket, broken: (cause: Error) => void) {
    super(socket);
    this.#socket = socket;
    this.#broken = broken;
  }

  override processRawData(data: Buffer): void {
    this.#sentences.push(data);
    this.#unasked += data.length;
    if (this.#sentences.backlog > MOST_BACKLOG) this.#socket.pause();
    this.#schedule();
  }

  /** Runs `action` once every whole sentence received so far has been delivered. */
  drained(action: () => void): void {
    this.#whenDrained = action;
    this.#schedule();
  }

  /** Never at once: libuv hands over up to 32 full buffers in one turn, and a slice is what one turn may cost. */
  #schedule(): void {
    this.#slice ??= setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    this.#slice = null;
    try {
      for (let count = 0; count < SENTENCES_PER_SLICE; count += 1) {
        const sentence = this.#sentences.next();
        if (sentence === null) {
          this.#goOn();
          this.#whenDrained?.();
          return;
        }
        this.#dispatch(sentence);
      }
      if (this.#sentences.backlog <= MOST_BACKLOG) this.#goOn();
      this.#schedule();
    } catch (error) {
      this.#broken(error as Error);
    }
  }

  #goOn(): void {
    if (this.#unasked > MOST_UNASKED) throw new FramingError('replies without an end that nothing had asked for');
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  #dispatch(sentence: string[]): void {
    const reply = sentence[0] ?? '';
    if (reply === '!fatal') throw new RouterFatal(fatalReason(sentence));
    // `!empty` (7.18 and later) only announces a `!done` without rows; what later versions add is not ours to judge.
    if (!CHANNEL_REPLIES.has(reply)) return;
    const tagAt = sentence.findIndex(word => word.startsWith('.tag='));
    const tag = sentence[tagAt]?.slice('.tag='.length);
    // A reply without a reader is late: its call has met its deadline.
    const reader = tag === undefined ? undefined : this['tags'].get(tag);
    if (reader === undefined) return;
    sentence.splice(tagAt, 1);
    this.#unasked = 0;
    reader.callback(sentence);
  }
}

/** The reason is a bare word (`session terminated on request`) or a `=message=`. */
function fatalReason(sentence: readonly string[]): string {
  const word = sentence.slice(1).find(candidate => !candidate.startsWith('.tag='));
  return word?.replace(/^=message=/, '') ?? '';
}

export interface ConnectorOptions {
  host: string;
  port: number;
  /** null: plain TCP. */
  tls: ConnectionOptions | null;
}

/**
 * `Connector` that reports its end once, with its cause. Events: `connected`; `dead` with a `RouterFatal`, a
 * `FramingError`, the socket's own error, or null when the router closed in good order. It never emits `error`,
 * which would end the process when nobody listens.
 */
export class RouterConnector extends Connector {
  /** null until connect() has succeeded in starting. */
  #receiver: SlicedReceiver | null = null;

  constructor(options: ConnectorOptions) {
    // The library wants some idle timeout; connect() takes it back.
    super({ host: options.host, port: options.port, tls: options.tls ?? undefined, timeout: 1 });
    this['onError'] = (error: Error) => this.#die(error);
    // What arrived before the end is still an answer.
    this['onEnd'] = () => this.#receiver?.drained(() => this.#die(null));
  }

  override connect(): this {
    super.connect();
    const socket = this.#socket as Socket;
    this.#receiver = new SlicedReceiver(socket, cause => this.#die(cause));
    this['receiver'] = this.#receiver;
    // Silence is judged per call (`link.ts`); an idle connection is a healthy one.
    socket.setTimeout(0);
    socket.setKeepAlive(true, TCP_KEEPALIVE_MS);
    socket.setNoDelay(true);
    return this;
  }

  /** One sentence, in one packet. The library's way also prints every word, the password too, where DEBUG is set. */
  override write(words: readonly string[]): this {
    this.#socket?.write(Buffer.concat([...words, ''].map(encodeWord)));
    return this;
  }

  /** Emits nothing from now on, whatever the socket still reports. */
  override destroy(): void {
    this.#socket?.destroy();
    this.removeAllListeners();
  }

  /** Bytes received so far: tells a slow router from a silent one. */
  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0;
  }

  get remoteAddress(): string | undefined {
    return this.#socket?.remoteAddress;
  }

  /** SHA-256 of the peer's certificate, lower-case hex without separators; null when it shows none. */
  get certificateFingerprint(): string | null {
    if (!(this.#socket instanceof TLSSocket)) return null;
    const fingerprint: string | undefined = this.#socket.getPeerCertificate().fingerprint256;
    return fingerprint?.replaceAll(':', '').toLowerCase() ?? null;
  }

  #die(cause: Error | null): void {
    this.emit('dead', cause);
    this.destroy();
  }

  /** Undefined until connect(), and after one that threw. */
  get #socket(): Socket | undefined {
    return this['socket'];
  }
}
