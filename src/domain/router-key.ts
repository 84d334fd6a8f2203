/**
 * The passwords of router users. Each is made from a key that is kept with the books, so that nothing has to be written
 * to the router for a login, and none is kept anywhere. With the books, not in a file of its own: a backup that is
 * restored on another machine finds its users on the router as it left them.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Mac } from './mac.ts';
import type { Tx } from './transaction.ts';

export interface RouterKey {
  /** Hexadecimal. */
  key: string;
}

/** 128 bits, as many as fit into 22 characters. */
const PASSWORD_CHARACTERS = 22;

export function newRouterKey(): RouterKey {
  return { key: randomBytes(32).toString('hex') };
}

export function routerPassword({ key }: RouterKey, name: string, mac: Mac): string {
  const digest = createHmac('sha256', Buffer.from(key, 'hex')).update(`${name} ${mac}`).digest('base64url');
  return digest.slice(0, PASSWORD_CHARACTERS);
}

/** A key for something else than passwords, which tells nothing of this one. @param label what for */
export function derivedKey({ key }: RouterKey, label: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(label).digest();
}

/** Keeps a key, unless there is one. */
export function keepRouterKey(tx: Tx, routerKey: RouterKey): void {
  if (tx.settings.get('routerKey') === null) tx.settings.set('routerKey', routerKey, tx.now);
}
