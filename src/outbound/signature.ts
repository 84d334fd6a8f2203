/** Message authentication: HMAC over exact bytes, and secrets compared in constant time. */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest } from '../domain/ports.ts';

export function hmacHex(
  algorithm: 'sha256' | 'sha512',
  secret: string | Uint8Array,
  ...parts: (string | Uint8Array)[]
): string {
  const hmac = createHmac(algorithm, secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** Equality of two texts in a time that tells nothing about either; empty text equals nothing. */
export function sameText(given: string | null, expected: string): boolean {
  if (given === null || given === '' || expected === '') return false;
  // Hashing first makes the lengths equal, which timingSafeEqual insists on.
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(expected));
}

/** One header by its lower-case name; null when it is absent or was sent more than once. */
export function headerOf(headers: WebhookRequest['headers'], name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
