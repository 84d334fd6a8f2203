/** One connection to a router, from dialling to its end. It is never reopened: `connection.ts` opens the next. */
import { createHash } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { LangoError } from '../domain/errors.ts';
import { parseIp } from '../domain/mac.ts';
import type { RouterSettings } from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import { Channel, RouterConnector } from './corrections.ts';
import {
  closed,
  endless,
  loginRefused,
  lost,
  RouterTrap,
  refused,
  silent,
  tooSlow,
  trapOf,
  unreachable,
  wrongCertificate,
} from './faults.ts';
import { FramingError } from './framing.ts';

/** What one `!re` or `!done` sentence says, by the router's own names (`mac-address`, `.id`). */
export type Row = Readonly<Record<string, string | undefined>>;

/** Whoever can put a command to a router. */
export interface Caller {
  /**
   * Sends one command.
   * @param words the path, then `=key=value`, `?query` and `=.proplist=` words
   * @param read makes a value of each row as it arrives, so that a long reply never blocks the event loop
   * @param until when the call must have settled, on the monotonic clock
   * @throws LangoError ROUTER_UNAVAILABLE, ROUTER_REFUSED
   */
  call<T>(words: readonly string[], read: (row: Row) => T, until: number): Promise<T[]>;
}

export interface LinkOptions {
  clock: Clock;
  /** How long a call must have waited without a byte heard before the line counts as dead, not the command as slow. */
  silenceMs: () => number;
  /** Called once, when a link that was not closed by close() dies. */
  onDeath?: (error: LangoError) => void;
}

/** What all rows of a reply may take, in bytes: those of 100,000 users. What goes on beyond is no answer. */
const LARGEST_REPLY = 64 * 1_024 * 1_024;
/** What a row takes beside its text. */
const ROW_OVERHEAD = 256;

function sizeOf(row: Row): number {
  let size = ROW_OVERHEAD;
  for (const name in row) size += name.length + (row[name]?.length ?? 0);
  return size;
}

type Settle<T> = { resolve: (value: T) => void; reject: (error: unknown) => void };

export class RouterLink implements Caller {
  readonly #settings: RouterSettings;
  readonly #clock: Clock;
  readonly #silenceMs: () => number;
  readonly #onDeath: (error: LangoError) => void;
  readonly #connector: RouterConnector;
  /** How each call that waits learns that the link has died. */
  readonly #waiting = new Set<(error: LangoError) => void>();
  #death: LangoError | null = null;
  #loggedIn = false;

  constructor(settings: RouterSettings, options: LinkOptions) {
    this.#settings = settings;
    this.#clock = options.clock;
    this.#silenceMs = options.silenceMs;
    this.#onDeath = options.onDeath ?? (() => {});
    this.#connector = new RouterConnector({
      host: settings.host,
      port: settings.port,
      tls: settings.ssl ? tlsOptions(settings) : null,
    });
  }

  /** Why it is over; null while it can be used. */
  get death(): LangoError | null {
    return this.#death;
  }

  /** The other end's address; null: there is no other end. */
  get remoteAddress(): string | null {
    return parseIp(this.#connector.remoteAddress ?? '');
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /** Dials, looks at the certificate, logs in. @throws LangoError ROUTER_UNAVAILABLE; the link is then dead */
  async open(until: number): Promise<void> {
    try {
      await this.#dial(until);
      await this.#logIn(until);
      this.#loggedIn = true;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  call<T>(words: readonly string[], read: (row: Row) => T, until: number): Promise<T[]> {
    if (this.#death !== null) return Promise.reject(this.#death);
    const channel = new Channel(this.#connector);
    const heardBefore = this.#connector.bytesRead;
    const askedAt = this.#clock.monotonic();
    const rows: T[] = [];
    let size = 0;

    return this.#settled<T[]>(until, {
      start: ({ resolve, reject }) => {
        channel.on('data', (row: Row) => {
          size += sizeOf(row);
          if (size > LARGEST_REPLY) this.#die(endless(this.#settings, new FramingError('a reply without an end')));
          if (this.#death !== null) return;
          try {
            rows.push(read(row));
          } catch (error) {
            reject(error);
          }
        });
        channel.once('done', () => resolve(rows));
        channel.once('trap', (attributes: Row) => reject(refused(new RouterTrap(attributes))));
        // Told to give no promise, it returns nothing, whatever its type says.
        void channel.write([...words], false, false);
      },
      expire: ({ reject }) => {
        const waitedMs = this.#clock.monotonic() - askedAt;
        // A call that had little of its time left proves nothing against a line that others use.
        if (this.#connector.bytesRead === heardBefore && waitedMs >= this.#silenceMs())
          this.#die(silent(this.#settings));
        else {
          void new Channel(this.#connector).write(['/cancel', `=tag=${channel.Id}`], false, false);
          reject(tooSlow());
        }
      },
    }).finally(() => channel.close(true));
  }

  /** Sends a command that the router answers by dying. */
  async callUntilDeath(words: readonly string[], until: number): Promise<void> {
    if (this.#death !== null) throw this.#death;
    try {
      await this.call(words, () => null, until);
    } catch (error) {
      if (error !== this.#death) throw error;
    }
  }

  /** Never throws. Calls that wait reject. */
  close(): void {
    this.#end(closed());
  }

  #dial(until: number): Promise<void> {
    return this.#settled<void>(until, {
      start: ({ resolve }) => {
        this.#connector.on('connected', () => {
          const problem = this.#certificateProblem();
          if (problem === null) resolve();
          else this.#die(problem);
        });
        this.#connector.on('dead', (cause: Error | null) => {
          this.#die(this.#loggedIn ? lost(this.#settings, cause) : unreachable(this.#settings, cause));
        });
        try {
          this.#connector.connect();
        } catch (error) {
          this.#die(unreachable(this.#settings, error as Error));
        }
      },
      expire: () => this.#die(silent(this.#settings)),
    });
  }

  #certificateProblem(): LangoError | null {
    const { ssl, sslFingerprint } = this.#settings;
    if (!ssl || sslFingerprint === null) return null;
    const shown = this.#connector.certificateFingerprint;
    const wanted = sslFingerprint.replaceAll(':', '').toLowerCase();
    return shown === wanted ? null : wrongCertificate(this.#settings, shown);
  }

  /** RouterOS from 6.43 takes name and password; before, it ignores them and answers with a challenge. */
  async #logIn(until: number): Promise<void> {
    const { username, password } = this.#settings;
    try {
      const name = `=name=${username}`;
      const [challenge] = await this.call(['/login', name, `=password=${password}`], row => row['ret'], until);
      if (challenge === undefined) return;
      const digest = createHash('md5').update('\0').update(password).update(challenge, 'hex').digest('hex');
      await this.call(['/login', name, `=response=00${digest}`], () => null, until);
    } catch (error) {
      const trap = trapOf(error);
      throw trap === null ? error : loginRefused(this.#settings, trap);
    }
  }

  /** A promise that settles in every case: by itself, when the link ends, or by `expire`. */
  #settled<T>(
    until: number,
    how: { start: (settle: Settle<T>) => void; expire: (settle: Settle<T>) => void },
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => how.expire(settle), Math.max(0, until - this.#clock.monotonic()));
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(settle.reject);
      };
      const settle: Settle<T> = {
        resolve: value => {
          done();
          resolve(value);
        },
        reject: error => {
          done();
          reject(error);
        },
      };
      this.#waiting.add(settle.reject);
      how.start(settle);
    });
  }

  #die(error: LangoError): void {
    if (this.#end(error)) this.#onDeath(error);
  }

  #end(error: LangoError): boolean {
    if (this.#death !== null) return false;
    this.#death = error;
    this.#connector.destroy();
    for (const reject of this.#waiting) reject(error);
    return true;
  }
}

/** Every cipher of TLS 1.3 and below, the anonymous ones too, which OpenSSL's DEFAULT shuts out for good. */
const ANY_CIPHER = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:ALL:@SECLEVEL=0';

/**
 * A router's certificate is its own, so no authority is asked: the fingerprint decides. A router whose API service has
 * no certificate at all offers anonymous ciphers only; they are taken only where nothing is pinned.
 */
function tlsOptions(settings: RouterSettings): ConnectionOptions {
  return settings.sslFingerprint === null
    ? { rejectUnauthorized: false, ciphers: ANY_CIPHER }
    : { rejectUnauthorized: false };
}
