/**
 * Time-based one-time codes, the second factor of admins: RFC 6238 with SHA-1, six digits and steps of 30 seconds,
 * as every authenticator app implements them.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isSameText } from './same-text.ts';
import { type Instant, toEpochMs } from './time.ts';

const TOTP_STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** A phone's clock may be one step off, either way. */
const STEPS_OFF = [0, -1, 1];

/** RFC 4648. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** A new secret, in base32 as authenticator apps take it. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The step that an instant falls into, counted from 1970. */
export function totpStep(at: Instant): number {
  return Math.floor(toEpochMs(at) / 1_000 / TOTP_STEP_SECONDS);
}

/** The code of one step. @param secret base32 @param digits six, but for the RFC's own examples */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * @param lastStep the step of the code that was accepted last: neither it nor an earlier one is accepted again
 * @returns the step that the code belongs to; null when it is wrong, too old, or was used already
 */
export function matchTotp(secret: string, code: string, at: Instant, lastStep: number | null): number | null {
  const given = code.replaceAll(/\s/g, '');
  const now = totpStep(at);
  const steps = STEPS_OFF.map(off => now + off).filter(step => step >= 0 && (lastStep === null || step > lastStep));
  return steps.find(step => isSameText(totpCode(secret, step), given)) ?? null;
}

/** What an authenticator app reads from a QR code. */
export function otpauthUrl(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** Codes of 80 random bits for the day the phone is lost: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(RECOVERY_BYTES)).replaceAll(/.{4}(?=.)/g, '$&-'),
  );
}

/** What is kept of a recovery code: SHA-256, hex. Case, spaces and dashes of the code do not count. */
export function recoveryHash(code: string): string {
  const plain = code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
  return createHash('sha256').update(plain).digest('hex');
}

function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.replaceAll(/.{1,5}/g, five => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '');
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += BASE32.indexOf(letter).toString(2).padStart(5, '0');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map(byte => Number.parseInt(byte, 2)));
}
