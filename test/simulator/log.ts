/** The log that the router keeps in memory, `/log`: what it did last, and what scripts and clients wrote into it. */
import type { EventEmitter } from 'node:events';
import type { RouterEvents } from './events.ts';
import { type Menu, viewMenu } from './menu.ts';
import { missingParameter } from './trap.ts';

interface Entry {
  readonly id: string;
  readonly at: number;
  readonly topics: string;
  readonly message: string;
}

/** As many as a router keeps unless told otherwise. */
const MOST_ENTRIES = 1_000;
const SEVERITIES = ['debug', 'info', 'warning', 'error'];

export class RouterLog {
  readonly #now: () => number;
  readonly #entries: Entry[] = [];
  #lastId = 0;

  constructor(now: () => number, events: EventEmitter<RouterEvents>) {
    this.#now = now;
    events.on('login', ({ user, address }) => {
      this.add('hotspot,account,info,debug', `${user} (${address}): logged in`);
    });
    events.on('logout', ({ user, address, cause }) => {
      this.add('hotspot,account,info,debug', `${user} (${address}): logged out: ${cause}`);
    });
  }

  add(topics: string, message: string): void {
    this.#lastId += 1;
    this.#entries.push({ id: `*${this.#lastId.toString(16).toUpperCase()}`, at: this.#now(), topics, message });
    if (this.#entries.length > MOST_ENTRIES) this.#entries.shift();
  }

  menu(): Menu<Entry> {
    const write = (severity: string) => (attributes: ReadonlyMap<string, string>) => {
      const message = attributes.get('message');
      if (message === undefined) throw missingParameter('message');
      this.add(`script,${severity}`, message);
    };
    return viewMenu<Entry>(
      {
        '.id': entry => entry.id,
        time: entry => new Date(entry.at).toISOString().slice(0, 19).replace('T', ' '),
        topics: entry => entry.topics,
        message: entry => entry.message,
      },
      {
        items: () => this.#entries,
        find: id => this.#entries.find(entry => entry.id === id),
        extras: new Map(SEVERITIES.map(severity => [severity, write(severity)])),
      },
    );
  }
}
