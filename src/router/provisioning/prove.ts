/**
 * What only hardware can tell, asked of a real router: with one throw-away profile, user and file, and one phone of
 * whoever asks, which joined the Wi-Fi and is not online. Nothing else is touched, and all of it is taken away again.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LangoError } from '../../domain/errors.ts';
import type { RouterSettings } from '../../domain/ports.ts';
import { type Clock, systemClock } from '../../domain/time.ts';
import { trapOf } from '../faults.ts';
import { RouterLink, type Row } from '../link.ts';
import { parseBoolean, parseDuration } from '../words.ts';
import { quoted } from './commands.ts';

/** Of the user, the profile and the file. Its colon is missing on purpose: the appliance must not think it its own. */
const NAME = 'lango-prove';
const FILE = `${NAME}.txt`;
const USER = '/ip/hotspot/user';
const PROFILE = '/ip/hotspot/user/profile';
const ACTIVE = '/ip/hotspot/active';
const COOKIE = '/ip/hotspot/cookie';

export interface Proof {
  question: string;
  answer: string;
}

export interface ProofReport {
  /** `7.16 (stable)` */
  version: string;
  board: string;
  proofs: readonly Proof[];
}

export interface ProveOptions {
  /** Ends the questions early; what was put on the router is still taken away. */
  signal: AbortSignal;
  clock?: Clock;
  /** How long one command may take. */
  deadlineMs?: number;
  /** How often the router is asked whether something has happened, and for how long. */
  pollMs?: number;
  waitMs?: number;
}

/** Phones that could be named. */
export interface WaitingPhone {
  mac: string;
  address: string;
}

/**
 * @param phone its MAC or address
 * @throws LangoError ROUTER_UNAVAILABLE, ROUTER_REFUSED; NOT_FOUND no such phone, or one that is online. Whatever is
 *   thrown, the router has been tidied up, or the message says what is left there.
 */
export async function prove(settings: RouterSettings, phone: string, options: ProveOptions): Promise<ProofReport> {
  const prober = new Prober(settings, options);
  try {
    await prober.open();
    await prober.cleanUp();
    return await prober.ask(phone);
  } finally {
    await prober.leave();
  }
}

export async function waitingPhones(settings: RouterSettings, options: ProveOptions): Promise<WaitingPhone[]> {
  const prober = new Prober(settings, options);
  try {
    await prober.open();
    return (await prober.waiting()).map(row => ({ mac: row['mac-address'] ?? '', address: row['address'] ?? '' }));
  } finally {
    prober.close();
  }
}

class Prober {
  readonly #settings: RouterSettings;
  readonly #options: Required<ProveOptions>;
  readonly #proofs: Proof[] = [];
  /** What on-login writes into the router's log; of this one run. */
  readonly #trace = `${NAME} ${randomBytes(6).toString('hex')}: on-login ran`;
  #link: RouterLink;
  #hasChanged = false;

  constructor(settings: RouterSettings, options: ProveOptions) {
    this.#settings = settings;
    this.#options = { clock: systemClock, deadlineMs: 15_000, pollMs: 500, waitMs: 10_000, ...options };
    this.#link = this.#newLink();
  }

  open(): Promise<void> {
    return this.#link.open(this.#until());
  }

  close(): void {
    this.#link.close();
  }

  waiting(): Promise<Row[]> {
    return this.#rows('/ip/hotspot/host', 'mac-address,address,to-address,authorized,bypassed').then(rows =>
      rows.filter(row => !parseBoolean(row['authorized']) && !parseBoolean(row['bypassed'])),
    );
  }

  async ask(named: string): Promise<ProofReport> {
    const [resource] = await this.#rows('/system/resource', 'version,board-name');
    const phone = await this.#phone(named);
    const password = randomBytes(12).toString('hex');
    const { address = '', 'mac-address': mac = '' } = phone;
    const reached = phone['to-address'] || address;
    const login = { user: NAME, password, ip: reached, 'mac-address': mac };

    await this.#tryFile();
    await this.#tryDeviceMode();
    await this.#question('The text of a login from an address that the router does not know', async () => {
      await this.#run(`${ACTIVE}/login`, { ...login, ip: '192.0.2.1' });
      return 'none: it was taken';
    });
    const onLogin = `:log info ${quoted(this.#trace)}`;
    await this.#put(PROFILE, { name: NAME, 'shared-users': '1', 'add-mac-cookie': 'yes', 'on-login': onLogin });
    await this.#question('The text of a refused duplicate profile', async () => {
      await this.#put(PROFILE, { name: NAME });
      return 'none: it was taken';
    });
    const limits = { 'limit-uptime': '10m', 'mac-address': mac, comment: `${NAME}: remove me` };
    await this.#put(USER, { name: NAME, password, profile: NAME, ...limits });
    if (address !== reached) {
      const isTaken = await this.#question('Whether a translated phone is logged in by its own address', async () => {
        await this.#run(`${ACTIVE}/login`, { ...login, ip: address });
        await this.#removeAll(ACTIVE, 'user');
        return 'yes';
      });
      if (isTaken) login.ip = address;
    }
    await this.#trySession(login);
    await this.#question('Whether a cookie outlives its user', async () => {
      const before = await this.#ours(COOKIE);
      await this.#removeAll(USER, 'name');
      return before.length === 0 ? 'not tried: there was no cookie' : yesNo((await this.#ours(COOKIE)).length > 0);
    });
    for (const question of ['Whether counters survive a power cut', 'Whether cookies survive a restart']) {
      this.#proofs.push({ question, answer: 'not tried: everybody would be cut off' });
    }
    return { version: resource?.['version'] ?? '', board: resource?.['board-name'] ?? '', proofs: this.#proofs };
  }

  /** Ours alone, by name, and whatever an earlier run could not take away. */
  async cleanUp(): Promise<void> {
    await this.#removeAll(ACTIVE, 'user');
    await this.#removeAll(COOKIE, 'user');
    await this.#removeAll(USER, 'name');
    await this.#removeAll(PROFILE, 'name');
    await this.#removeAll('/file', 'name', FILE);
  }

  /** Cleans up in any case; over a new connection where the first one is lost. */
  async leave(): Promise<void> {
    try {
      if (!this.#hasChanged) return;
      if (this.#link.death !== null) {
        this.#link = this.#newLink();
        await this.open();
      }
      await this.cleanUp();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new LangoError(
        'ROUTER_UNAVAILABLE',
        `What was tried on the router could not be taken away again: ${reason} Run this once more, or remove the hotspot user, the profile and the file named ${NAME} by hand.`,
        { cause: error },
      );
    } finally {
      this.close();
    }
  }

  async #trySession(login: Readonly<Record<string, string>>): Promise<void> {
    const isOn = await this.#question('How long a login over the API takes', async () => {
      const before = this.#options.clock.monotonic();
      await this.#run(`${ACTIVE}/login`, login);
      return `${Math.round(this.#options.clock.monotonic() - before)} ms`;
    });
    if (!isOn) return;
    await this.#question('What such a session says of its login, and its id', async () => {
      const [session] = await this.#ours(ACTIVE, '.id,user,login-by');
      return `login-by=${session?.['login-by']}, .id=${session?.['.id']}`;
    });
    await this.#question('Whether it bakes a mac-cookie', async () => yesNo((await this.#ours(COOKIE)).length > 0));
    await this.#question('Whether it runs on-login', async () =>
      yesNo(
        await this.#becomes(async () => (await this.#rows('/log', 'message', [`?message=${this.#trace}`])).length > 0),
      ),
    );
    await this.#question("Whether a user's uptime counts the running session", async () => {
      const hasRun = await this.#becomes(async () => (parseDuration((await this.#session())['uptime']) ?? 0) >= 2);
      return hasRun ? yesNo((await this.#uptime()) > 0) : 'not tried: the session did not go on';
    });
    await this.#question('Whether a changed limit shows in the running session', async () => {
      const before = parseDuration((await this.#session())['session-time-left']);
      await this.#change({ 'limit-uptime': '5m' });
      const after = parseDuration((await this.#session())['session-time-left']);
      return before === null ? 'it shows no time left' : yesNo(after !== null && before - after > 60);
    });
    await this.#question('Whether a limit that has run out ends it', async () => {
      await this.#change({ 'limit-uptime': '1s' });
      return yesNo(await this.#becomes(async () => (await this.#ours(ACTIVE)).length === 0));
    });
    await this.#question('Whether the uptime is counted once it has ended', async () => {
      await this.#removeAll(ACTIVE, 'user');
      return yesNo((await this.#uptime()) > 0);
    });
  }

  async #tryFile(): Promise<void> {
    const [account] = await this.#rows('/user', 'group', [`?name=${this.#settings.username}`]).catch(() => []);
    const [group] = await this.#rows('/user/group', 'policy', [`?name=${account?.['group']}`]).catch(() => []);
    const hasFtp = group?.['policy']?.split(',').includes('ftp');
    const its = hasFtp === undefined ? '' : `, with${hasFtp ? '' : 'out'} the policy ftp`;
    await this.#question(`Whether a file can be made and read over the API${its}`, async () => {
      await this.#put('/file', { name: FILE, contents: NAME });
      const [file] = await this.#rows('/file', 'contents', [`?name=${FILE}`]);
      return file?.['contents'] === NAME ? 'yes' : 'made, not read';
    });
  }

  async #tryDeviceMode(): Promise<void> {
    await this.#question('What device-mode allows', async () => {
      const [mode] = await this.#rows('/system/device-mode', 'mode,hotspot,fetch,scheduler');
      return `mode=${mode?.['mode']}, hotspot=${mode?.['hotspot'] ?? '?'}, fetch=${mode?.['fetch'] ?? '?'}`;
    });
  }

  async #phone(phone: string): Promise<Row> {
    const wanted = phone.toUpperCase().replaceAll('-', ':');
    const found = (await this.waiting()).find(row => row['mac-address'] === wanted || row['address'] === phone);
    if (found !== undefined) return found;
    throw new LangoError(
      'NOT_FOUND',
      `The hotspot knows no phone ${phone} that is not online: join its Wi-Fi with a phone of yours, and do not log in.`,
    );
  }

  /** @returns whether it was answered; a refusal is an answer too, in the router's words */
  async #question(question: string, answer: () => Promise<string>): Promise<boolean> {
    this.#options.signal.throwIfAborted();
    try {
      this.#proofs.push({ question, answer: await answer() });
      return true;
    } catch (error) {
      const trap = trapOf(error);
      if (trap === null) throw error;
      this.#proofs.push({ question, answer: `refused: ${trap.message}` });
      return false;
    }
  }

  async #becomes(isSo: () => Promise<boolean>): Promise<boolean> {
    const { clock, pollMs, waitMs, signal } = this.#options;
    const until = clock.monotonic() + waitMs;
    for (;;) {
      if (await isSo()) return true;
      if (clock.monotonic() >= until) return false;
      await sleep(pollMs, undefined, { signal });
    }
  }

  #user = async (): Promise<Row> => (await this.#rows(USER, 'uptime', [`?name=${NAME}`]))[0] ?? {};
  #session = async (): Promise<Row> => (await this.#ours(ACTIVE, 'user,uptime,session-time-left'))[0] ?? {};
  #uptime = async (): Promise<number> => parseDuration((await this.#user())['uptime']) ?? 0;

  /** Sessions or cookies. */
  #ours(menu: string, properties = '.id,user'): Promise<Row[]> {
    return this.#rows(menu, properties, [`?user=${NAME}`]);
  }

  async #change(values: Readonly<Record<string, string>>): Promise<void> {
    const [user] = await this.#rows(USER, '.id', [`?name=${NAME}`]);
    await this.#run(`${USER}/set`, { '.id': user?.['.id'] ?? '', ...values });
  }

  async #put(menu: string, values: Readonly<Record<string, string>>): Promise<void> {
    this.#options.signal.throwIfAborted();
    this.#hasChanged = true;
    await this.#run(`${menu}/add`, values);
  }

  async #removeAll(menu: string, property: string, value = NAME): Promise<void> {
    for (const row of await this.#rows(menu, `.id,${property}`, [`?${property}=${value}`])) {
      if (row[property] === value) await this.#run(`${menu}/remove`, { '.id': row['.id'] ?? '' });
    }
  }

  #rows(menu: string, properties: string, queries: readonly string[] = []): Promise<Row[]> {
    return this.#link.call([`${menu}/print`, `=.proplist=${properties}`, ...queries], row => row, this.#until());
  }

  async #run(command: string, values: Readonly<Record<string, string>>): Promise<void> {
    const words = Object.entries(values).map(([name, value]) => `=${name}=${value}`);
    await this.#link.call([command, ...words], () => null, this.#until());
  }

  #until(): number {
    return this.#options.clock.monotonic() + this.#options.deadlineMs;
  }

  #newLink(): RouterLink {
    const { clock, deadlineMs } = this.#options;
    return new RouterLink(this.#settings, { clock, silenceMs: () => deadlineMs / 2 });
  }
}

function yesNo(is: boolean): string {
  return is ? 'yes' : 'no';
}
