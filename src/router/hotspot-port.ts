/** One router: its settings, the connection to it, and the hotspot behind that. */
import type { HotspotCalls, HotspotPort, Log, RouterResources, RouterSettings, RouterState } from '../domain/ports.ts';
import { type Clock, systemClock } from '../domain/time.ts';
import { HostAddresses } from './addresses.ts';
import { type Asked, RouterOsCalls } from './calls.ts';
import { RouterConnection, silenceMs } from './connection.ts';
import { notConfigured } from './faults.ts';
import { RouterLink } from './link.ts';
import { type HotspotNetworks, readNetworks } from './networks.ts';
import { readResources } from './resources.ts';

/** The interface promises an answer within 10 s; no deadline of a call that somebody waits for may be longer. */
const LONGEST_DEADLINE_MS = 10_000;
/** Of a call that nobody waits for: a small board has been seen to take 8 s for a login. */
const BACKGROUND_DEADLINE_MS = 30_000;

/** Networks are seldom changed, and only asked for where a phone has several addresses. */
const NETWORKS_KNOWN_MS = 600_000;

export interface HotspotPortOptions {
  /** null: not configured, until configure() says otherwise. */
  settings: RouterSettings | null;
  log: Log;
  /** How long one call of the port may take in all, connecting included. At most 10 s. */
  deadlineMs?: number;
  /** The wait before a new attempt to connect; see `ConnectionOptions`. */
  backoffMs?: { first: number; longest: number };
  /** How often an idle connection is asked whether the router is still there. */
  livenessMs?: number;
  clock?: Clock;
}

/** What a port is made of before it can be asked anything: settings, and the connection that they lead to. */
class Line implements Asked {
  readonly options: Required<Omit<HotspotPortOptions, 'settings'>>;
  readonly clock: Clock;
  readonly listeners = new Set<() => void>();
  settings: RouterSettings | null = null;
  addresses: HostAddresses | null = null;
  connection: RouterConnection | null = null;
  #networks: HotspotNetworks | null = null;
  #networksReadAt = Number.NEGATIVE_INFINITY;

  constructor(options: HotspotPortOptions) {
    this.options = {
      log: options.log,
      deadlineMs: Math.min(options.deadlineMs ?? 8_000, LONGEST_DEADLINE_MS),
      backoffMs: options.backoffMs ?? { first: 250, longest: 10_000 },
      livenessMs: options.livenessMs ?? 30_000,
      clock: options.clock ?? systemClock,
    };
    this.clock = this.options.clock;
    this.lead(options.settings);
  }

  lead(settings: RouterSettings | null): void {
    this.connection?.close();
    this.settings = settings;
    this.addresses = settings === null ? null : new HostAddresses(settings.host, this.clock);
    this.connection =
      settings === null
        ? null
        : new RouterConnection(settings, { ...this.options, onConnected: () => this.#connected() });
  }

  caller(): RouterConnection {
    if (this.connection === null) throw notConfigured();
    return this.connection;
  }

  async networks(until: number): Promise<HotspotNetworks> {
    const now = this.clock.monotonic();
    if (this.#networks === null || now - this.#networksReadAt > NETWORKS_KNOWN_MS) {
      this.#networks = await readNetworks(this.caller(), until);
      this.#networksReadAt = now;
    }
    return this.#networks;
  }

  #connected(): void {
    this.#networks = null;
    for (const listener of this.listeners) {
      try {
        listener();
      } catch (error) {
        this.options.log.error({ err: error }, 'router listener failed');
      }
    }
  }
}

/** @returns a port that connects when it is first asked for something, and on each configure(). */
export function createHotspotPort(options: HotspotPortOptions): HotspotPort {
  return new RouterOsHotspot(new Line(options));
}

class RouterOsHotspot extends RouterOsCalls implements HotspotPort {
  readonly background: HotspotCalls;
  readonly #line: Line;
  #isClosed = false;

  constructor(line: Line) {
    super(line, line.options.deadlineMs);
    this.background = new RouterOsCalls(line, BACKGROUND_DEADLINE_MS);
    this.#line = line;
  }

  get state(): RouterState {
    if (this.#line.connection === null) return 'not_configured';
    return this.#line.connection.isConnected ? 'connected' : 'disconnected';
  }

  get lastError(): string | null {
    return this.#line.connection?.lastError ?? null;
  }

  get settings(): Omit<RouterSettings, 'password'> | null {
    if (this.#line.settings === null) return null;
    const { password: _, ...shown } = this.#line.settings;
    return shown;
  }

  isAt(address: string): boolean {
    return this.#line.connection?.answeredFrom === address || (this.#line.addresses?.has(address) ?? false);
  }

  configure(settings: RouterSettings | null): void {
    if (this.#isClosed) return;
    this.#line.lead(settings);
    this.#line.connection?.start();
  }

  onConnected(listener: () => void): () => void {
    this.#line.listeners.add(listener);
    return () => this.#line.listeners.delete(listener);
  }

  async reboot(): Promise<void> {
    const until = this.#deadline();
    await this.#line.caller().callUntilDeath(['/system/reboot'], until);
  }

  async test(settings: RouterSettings): Promise<RouterResources> {
    const until = this.#deadline();
    const { clock, deadlineMs } = this.#line.options;
    const link = new RouterLink(settings, { clock, silenceMs: () => silenceMs(deadlineMs) });
    try {
      await link.open(until);
      return await readResources(link, until);
    } finally {
      link.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#line.connection?.close();
  }

  #deadline(): number {
    return this.#line.clock.monotonic() + this.#line.options.deadlineMs;
  }
}
