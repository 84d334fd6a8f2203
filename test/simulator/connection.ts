/** One API connection: login, framing of replies, and every fault that a wire can have. */
import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { execute, type Following, type Menus, type Outcome } from './commands.ts';
import { isAtLeast, type RouterKnobs } from './knobs.ts';
import { parseRequest, type Request } from './request.ts';
import { badLogin, interrupted, noSuchItem, Trap } from './trap.ts';
import { FramingError, SentenceDecoder, SentenceEncoder } from './wire.ts';

export interface Account {
  readonly name: string;
  readonly password: string;
}

/** What a connection asks of the router behind it. */
export interface ConnectionOwner {
  readonly knobs: RouterKnobs;
  menus(): Menus;
  /** An account that may use the API, or undefined. */
  account(name: string): Account | undefined;
  /** What the account may do at this moment. */
  policies(account: Account): ReadonlySet<string>;
  /** Called before every command, so that it meets the world as it is now. */
  settle(): void;
  /** Resolves when the router has had the time that a command takes it. */
  work(): Promise<void> | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  reboot(): void;
  /** @param from the client's address */
  carriedOut(request: Request, trap: Trap | null, from: string): void;
}

interface Job {
  readonly tag: string | undefined;
  cancelled: boolean;
  /** Of a command that goes on until it is cancelled. */
  timer?: NodeJS.Timeout;
}

/** How often it is looked whether what somebody follows has changed. */
const LOOK_EVERY_MS = 10;

/** A reply is written in pieces of about this size, so that other work gets its turn between them. */
const BATCH_BYTES = 48 * 1_024;

/** Long enough for the peer to read what came before a reset, which would otherwise be thrown away with it. */
const BEFORE_RESET_MS = 10;

export class Connection {
  readonly #owner: ConnectionOwner;
  /** The TCP connection itself; the same as `#stream` when there is no TLS. */
  readonly #socket: Socket;
  readonly #stream: Socket;
  readonly #decoder = new SentenceDecoder();
  readonly #jobs = new Set<Job>();
  #outgoing: Promise<void> = Promise.resolve();
  #untagged: Promise<void> = Promise.resolve();
  #challenge: Buffer | null = null;
  #account: Account | null = null;
  #loggedInAt = 0;

  constructor(owner: ConnectionOwner, socket: Socket, stream: Socket) {
    this.#owner = owner;
    this.#socket = socket;
    this.#stream = stream;
    stream.setNoDelay(true);
    stream.on('data', piece => this.#read(piece));
    // The peer may vanish at any moment; 'close' follows and says all there is to say.
    for (const side of new Set([socket, stream])) side.on('error', () => {});
    stream.once('close', () => this.#stop(this.#jobs));
  }

  /** Who is logged in, since when; null: nobody. */
  get login(): { name: string; address: string; since: number } | null {
    if (this.#account === null) return null;
    return { name: this.#account.name, address: this.#address, since: this.#loggedInAt };
  }

  get #address(): string {
    return this.#socket.remoteAddress ?? '';
  }

  reset(): void {
    // The TCP connection first: TLS would take its leave in an orderly way.
    this.#socket.resetAndDestroy();
    this.#stream.destroy();
  }

  close(): void {
    this.#stream.end();
  }

  #read(piece: Buffer): void {
    try {
      for (const words of this.#decoder.push(piece)) this.#receive(parseRequest(words));
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.#stream.destroy();
    }
  }

  #receive(request: Request): void {
    const { knobs } = this.#owner;
    if (knobs.silent && (knobs.faultPath === null || this.#isStruck(request))) {
      this.#jobs.add({ tag: request.tag, cancelled: false });
    } else if (request.command === '/login') this.#login(request);
    else if (this.#account === null) this.#sayFatal('not logged in');
    else if (request.command === '/quit') this.#sayFatal('session terminated on request');
    else if (request.command === '/cancel') this.#cancel(request);
    else if (knobs.fatal !== null && this.#isStruck(request)) this.#sayFatal(knobs.fatal);
    else this.#run(request, this.#owner.policies(this.#account));
  }

  #isStruck(request: Request): boolean {
    const { faultPath } = this.#owner.knobs;
    return faultPath === null ? request.command !== '/login' : request.command.startsWith(faultPath);
  }

  // -------------------------------------------------------------------------------------------- login

  #login(request: Request): void {
    const { version } = this.#owner.knobs;
    const knowsPlain = isAtLeast(version, '6.43');
    const knowsChallenge = !isAtLeast(version, '6.45.1');
    const name = request.attributes.get('name');
    if (knowsChallenge && request.attributes.has('response'))
      this.#finishLogin(request, this.#answersChallenge(request));
    else if (knowsPlain && name !== undefined) {
      this.#finishLogin(request, this.#owner.account(name)?.password === (request.attributes.get('password') ?? ''));
    } else if (request.attributes.has('response')) this.#finishLogin(request, false);
    else {
      // Versions that take no answer to it any more still give a challenge to whoever sends nothing else.
      this.#challenge = randomBytes(16);
      this.#reply(request, { kind: 'done', ret: this.#challenge.toString('hex') });
    }
  }

  #answersChallenge(request: Request): boolean {
    const account = this.#owner.account(request.attributes.get('name') ?? '');
    if (account === undefined || this.#challenge === null) return false;
    const digest = createHash('md5')
      .update(Buffer.from([0]))
      .update(account.password)
      .update(this.#challenge)
      .digest('hex');
    this.#challenge = null;
    return request.attributes.get('response')?.toLowerCase() === `00${digest}`;
  }

  #finishLogin(request: Request, isRight: boolean): void {
    this.#account = (isRight && this.#owner.account(request.attributes.get('name') ?? '')) || null;
    const trap = this.#account === null ? badLogin(this.#owner.knobs.version) : null;
    this.#loggedInAt = this.#owner.now();
    this.#owner.carriedOut(request, trap, this.#address);
    this.#reply(request, trap ?? { kind: 'done' });
  }

  // ----------------------------------------------------------------------------------------- commands

  #run(request: Request, policies: ReadonlySet<string>): void {
    this.#owner.settle();
    let outcome: Outcome | Trap;
    try {
      outcome = execute(this.#owner.menus(), request, policies);
    } catch (error) {
      if (!(error instanceof Trap)) throw error;
      outcome = error;
    }
    this.#owner.carriedOut(request, outcome instanceof Trap ? outcome : null, this.#address);
    if (!(outcome instanceof Trap) && outcome.kind === 'reboot') this.#owner.reboot();
    else if (!(outcome instanceof Trap) && outcome.kind === 'follow') this.#follow(request, outcome);
    else this.#reply(request, outcome);
  }

  /** The interrupted command hears of it first, then the canceller, then the interrupted one ends. */
  #cancel(request: Request): void {
    const wanted = request.attributes.get('tag');
    const jobs = [...this.#jobs].filter(job => wanted === undefined || job.tag === wanted);
    if (wanted !== undefined && jobs.length === 0) {
      this.#reply(request, noSuchItem());
      return;
    }
    this.#stop(jobs);
    const encoder = new SentenceEncoder();
    for (const job of jobs) encoder.sentence(this.#trapWords(interrupted(), job.tag));
    encoder.sentence(this.#words('!done', request.tag, []));
    for (const job of jobs) encoder.sentence(this.#words('!done', job.tag, []));
    void this.#send(encoder.take());
  }

  #stop(jobs: Iterable<Job>): void {
    for (const job of jobs) {
      job.cancelled = true;
      clearInterval(job.timer);
      this.#jobs.delete(job);
    }
  }

  /** Says what changes, `=.dead=yes` where a row has gone, or all of it once an interval, as a section of its own. */
  #follow(request: Request, { fromStart, everyMs, look }: Following): void {
    let shown = look();
    let section = 0;
    const say = (rows: Iterable<string[]>) => {
      const encoder = new SentenceEncoder();
      for (const words of rows) encoder.sentence(this.#words('!re', request.tag, words));
      if (encoder.length > 0) void this.#send(encoder.take());
    };
    const sayAll = () => {
      const mark = everyMs === null ? [] : [`=.section=${section++}`];
      say([...shown.values()].map(({ words }) => [...mark, ...words]));
    };
    const sayChanges = () => {
      const before = shown;
      shown = look();
      const gone = [...before.keys()].filter(id => !shown.has(id)).map(id => [`=.id=${id}`, '=.dead=yes']);
      const changed = [...shown].filter(([id, row]) => before.get(id)?.state !== row.state);
      say([...gone, ...changed.map(([, { words }]) => words)]);
    };
    if (fromStart || everyMs !== null) sayAll();
    const goOn = () => {
      this.#owner.settle();
      if (everyMs === null) sayChanges();
      else {
        shown = look();
        sayAll();
      }
    };
    this.#jobs.add({ tag: request.tag, cancelled: false, timer: setInterval(goOn, everyMs ?? LOOK_EVERY_MS).unref() });
  }

  // ------------------------------------------------------------------------------------------ replies

  /** Tagged replies may overtake each other; those without a tag come in the order of their commands. */
  #reply(request: Request, outcome: Outcome | Trap): void {
    const job: Job = { tag: request.tag, cancelled: false };
    this.#jobs.add(job);
    const resetAfter = this.#isStruck(request) ? this.#owner.knobs.resetAfterBytes : null;
    const before = request.tag === undefined ? this.#untagged : Promise.resolve();
    const wait = this.#owner.knobs.replyDelayMs;
    const delayed = wait > 0 ? delay(wait, undefined, { ref: false }) : undefined;
    const written = Promise.all([before, delayed, this.#owner.work()])
      .then(() => this.#write(job, outcome, resetAfter))
      .finally(() => this.#jobs.delete(job));
    if (request.tag === undefined) this.#untagged = written;
  }

  async #write(job: Job, outcome: Outcome | Trap, resetAfter: number | null): Promise<void> {
    let sent = 0;
    for (const batch of this.#batches(job.tag, outcome)) {
      if (job.cancelled || this.#stream.destroyed) return;
      if (resetAfter !== null && sent + batch.length >= resetAfter) {
        await this.#send(batch.subarray(0, resetAfter - sent));
        await delay(BEFORE_RESET_MS);
        this.reset();
        return;
      }
      // A write to a socket with room settles without a turn of the event loop, so the turn is taken here.
      if (sent > 0) await nextTurn();
      sent += batch.length;
      await this.#send(batch);
    }
  }

  *#batches(tag: string | undefined, outcome: Outcome | Trap): Iterable<Buffer> {
    const encoder = new SentenceEncoder(outcome instanceof Trap || outcome.kind !== 'rows' ? 256 : BATCH_BYTES + 8_192);
    if (outcome instanceof Trap) encoder.sentence(this.#trapWords(outcome, tag));
    let done: string[] = [];
    if (!(outcome instanceof Trap) && outcome.kind === 'done' && outcome.ret !== undefined)
      done = [`=ret=${outcome.ret}`];
    if (!(outcome instanceof Trap) && outcome.kind === 'rows') {
      let isEmpty = true;
      for (const row of outcome.rows) {
        isEmpty = false;
        encoder.sentence(this.#words('!re', tag, row));
        if (encoder.length >= BATCH_BYTES) yield encoder.take();
      }
      if (isEmpty && isAtLeast(this.#owner.knobs.version, '7.18')) encoder.sentence(this.#words('!empty', tag, []));
    }
    yield encoder.sentence(this.#words('!done', tag, done)).take();
  }

  #trapWords(trap: Trap, tag: string | undefined): string[] {
    const hasCategory = this.#owner.knobs.trapCategories && trap.category !== undefined;
    return this.#words('!trap', tag, [
      ...(hasCategory ? [`=category=${trap.category}`] : []),
      `=message=${trap.message}`,
    ]);
  }

  #words(reply: string, tag: string | undefined, attributes: readonly string[]): string[] {
    if (tag === undefined) return [reply, ...attributes];
    return this.#owner.knobs.tagPosition === 'first'
      ? [reply, `.tag=${tag}`, ...attributes]
      : [reply, ...attributes, `.tag=${tag}`];
  }

  #sayFatal(reason: string): void {
    const words = new SentenceEncoder().sentence(['!fatal', reason]).take();
    void this.#send(words).then(() => this.close());
  }

  /** Writes whole sentences one after the other, so that concurrent replies never mix inside one. */
  #send(bytes: Buffer): Promise<void> {
    this.#outgoing = this.#outgoing.then(async () => {
      const size = this.#owner.knobs.fragmentBytes ?? bytes.length;
      for (let offset = 0; offset < bytes.length && !this.#stream.destroyed; offset += size) {
        const piece = bytes.subarray(offset, offset + size);
        await new Promise<void>(resolve => this.#stream.write(piece, () => resolve()));
        if (size < bytes.length) await nextTurn();
      }
    });
    return this.#outgoing;
  }
}
