/**
 * What the portal's forms send along, so that no other web site can send them from a phone: devices are found by the
 * request's address, and such a form would give the phone to whose number it holds. Browsers say nothing of where a form
 * comes from that can be relied on over plain HTTP. The JSON API needs no such thing: browsers ask before they send JSON
 * to another site.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSameText } from '../domain/same-text.ts';
import { type Clock, SECONDS_PER_HOUR, toEpochMs } from '../domain/time.ts';
import type { ClientAddress } from './client-address.ts';

export interface FormKeys {
  /** For who asks now. Nothing in it needs escaping. */
  keyFor(request: IncomingMessage): string;
  /** Whether it was given to the same address in this hour or the one before. */
  isGood(key: string, request: IncomingMessage): boolean;
}

interface FormKeysOptions {
  secret: Buffer;
  clientAddress: ClientAddress;
  clock: Pick<Clock, 'now'>;
}

/** 96 bits. */
const KEY_CHARACTERS = 16;

export function createFormKeys({ secret, clientAddress, clock }: FormKeysOptions): FormKeys {
  const hour = () => Math.floor(toEpochMs(clock.now()) / (SECONDS_PER_HOUR * 1_000));
  const keyOf = (request: IncomingMessage, at: number) =>
    createHmac('sha256', secret)
      .update(`${at} ${clientAddress(request)}`)
      .digest('base64url')
      .slice(0, KEY_CHARACTERS);
  return {
    keyFor: request => keyOf(request, hour()),
    isGood: (key, request) => [hour(), hour() - 1].some(at => isSameText(key, keyOf(request, at))),
  };
}
