/**
 * Codes that are sent to a number, to prove that somebody holds it. They stay in memory for ten minutes, hashed once
 * they are sent, and never reach the disk: the message in the outbox has a gap, which is filled when it is sent.
 *
 * A code is valid only for the address that requested it: tries from elsewhere use up none of its own.
 */
import { createHmac, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import { type Phone, stripSeparators } from './phone.ts';
import type { Clock } from './time.ts';

export interface ProofCodes {
  /** Makes a code; the one before, of that number and address, is void. @returns the key of its message */
  open(phone: Phone, address: string): string;
  /** What is to be sent; null: it is not valid any more, or not to be sent again. */
  codeToSend(key: string): string | null;
  /** The message is on its way, or never will be: only the hash is kept. */
  forgetText(key: string): void;
  /** Counts a try where the text could be a code. */
  isRight(phone: Phone, address: string, text: string): boolean;
  /** A code lets one device in. */
  useUp(phone: Phone, address: string): void;
}

interface Entry {
  readonly key: string;
  readonly hash: Buffer;
  readonly endsAt: number;
  code: string | null;
  tries: number;
}

export const CODE_MINUTES = 10;
const MOST_TRIES = 5;
/** More than are asked for in ten minutes, within the limits on asking. */
const MOST_CODES = 10_000;

export function createProofCodes({ clock }: { clock: Pick<Clock, 'monotonic'> }): ProofCodes {
  const secret = randomBytes(32);
  // In the order in which they end.
  const entries = new Map<string, Entry>();
  const nameOf = (phone: Phone, address: string) => `${phone} ${address}`;
  const hashOf = (name: string, code: string) => createHmac('sha256', secret).update(`${name} ${code}`).digest();

  function dropEnded(): void {
    const now = clock.monotonic();
    for (const [name, entry] of entries) {
      if (entry.endsAt > now && entries.size < MOST_CODES) return;
      entries.delete(name);
    }
  }

  function valid(entry: Entry | undefined): Entry | null {
    return entry !== undefined && entry.endsAt > clock.monotonic() && entry.tries < MOST_TRIES ? entry : null;
  }

  const byKey = (key: string) => valid([...entries.values()].find(entry => entry.key === key));

  return {
    open(phone, address) {
      dropEnded();
      const name = nameOf(phone, address);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const key = `device_code:${randomUUID()}`;
      const endsAt = clock.monotonic() + CODE_MINUTES * 60_000;
      entries.delete(name);
      entries.set(name, { key, hash: hashOf(name, code), endsAt, code, tries: 0 });
      return key;
    },
    codeToSend: key => byKey(key)?.code ?? null,
    forgetText(key) {
      const entry = byKey(key);
      if (entry !== null) entry.code = null;
    },
    isRight(phone, address, text) {
      const name = nameOf(phone, address);
      const entry = valid(entries.get(name));
      const code = stripSeparators(text);
      if (entry === null || !/^\d{6}$/.test(code)) return false;
      const isRight = timingSafeEqual(entry.hash, hashOf(name, code));
      if (!isRight) entry.tries += 1;
      return isRight;
    },
    useUp: (phone, address) => void entries.delete(nameOf(phone, address)),
  };
}
