/**
 * Who is on the Wi-Fi: the rows of `/ip/hotspot/host`. A device may have several of them, and is behind one; the others
 * are what it left behind, and go after a while.
 */
import { parseAddress } from './values.ts';

export interface Host {
  readonly id: string;
  readonly mac: string;
  /** As the device has it. */
  readonly address: string;
  /** As it goes on from the hotspot: another one where the device brought its own from elsewhere. */
  readonly toAddress: string;
  readonly name: string;
  readonly server: string;
  readonly since: number;
}

export interface Joining {
  mac: string;
  address: string;
  /** Absent: the same as `address`. */
  toAddress?: string | undefined;
  name: string;
}

export class Hosts {
  /** By the address that it goes on with. */
  readonly #rows = new Map<string, Host>();
  /** Rows of each device, the one that it is behind last. */
  readonly #ofDevice = new Map<string, Host[]>();
  /** When a row that no device is behind was left; milliseconds since the epoch. */
  readonly #leftAt = new Map<Host, number>();
  readonly #now: () => number;
  #lastId = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  all(): Iterable<Host> {
    return this.#rows.values();
  }

  at(toAddress: string): Host | undefined {
    return this.#rows.get(toAddress);
  }

  withOwnAddress(address: string): Host | undefined {
    for (const host of this.#rows.values()) if (host.address === address) return host;
    return undefined;
  }

  /** Where a device is. */
  current(mac: string): Host | undefined {
    return this.#ofDevice.get(mac)?.at(-1);
  }

  of(mac: string): readonly Host[] {
    return this.#ofDevice.get(mac) ?? [];
  }

  idleMs(host: Host): number {
    const leftAt = this.#leftAt.get(host);
    return leftAt === undefined ? 0 : this.#now() - leftAt;
  }

  /** Rows that no device is behind, and since when. */
  left(): Iterable<[Host, number]> {
    return this.#leftAt;
  }

  add({ mac, address, toAddress = address, name }: Joining, server: string): Host {
    this.#lastId += 1;
    const id = `*${this.#lastId.toString(16).toUpperCase()}`;
    const host: Host = { id, mac, address, toAddress, name, server, since: this.#now() };
    this.#rows.set(toAddress, host);
    this.#ofDevice.set(mac, [...this.of(mac), host]);
    this.arrive(host);
    return host;
  }

  /** The device is behind none of its rows any more. */
  abandon(mac: string): void {
    for (const row of this.of(mac)) if (!this.#leftAt.has(row)) this.#leftAt.set(row, this.#now());
  }

  /** The device is behind this row of its own from now on. */
  arrive(host: Host): void {
    this.abandon(host.mac);
    const others = this.of(host.mac).filter(row => row !== host);
    this.#leftAt.delete(host);
    this.#ofDevice.set(host.mac, [...others, host]);
  }

  remove(host: Host): void {
    if (this.#rows.get(host.toAddress) === host) this.#rows.delete(host.toAddress);
    this.#leftAt.delete(host);
    const others = this.of(host.mac).filter(row => row !== host);
    if (others.length > 0) this.#ofDevice.set(host.mac, others);
    else this.#ofDevice.delete(host.mac);
  }

  clear(): void {
    for (const host of this.#rows.values()) this.remove(host);
  }
}

/** Whether an address is that one, or within that range: `169.254.0.1-169.254.255.254`. */
export function isWithin(address: string, range: string): boolean {
  const [first = '', last = first] = range.split('-');
  const [value, from, to] = [address, first, last].map(parseAddress);
  return value != null && from != null && to != null && from <= value && value <= to;
}
