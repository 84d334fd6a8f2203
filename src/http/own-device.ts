/**
 * Whose device is asking. A client on the LAN may speak for a MAC only if the router's host table does not say
 * otherwise. Decisions: 11.
 */
import type { Mac } from '../domain/mac.ts';
import { mayActFor } from '../domain/presence.ts';
import type { Context } from './context.ts';

/** How long a request waits for the host table; a router that does not answer says nothing. */
const PATIENCE_MS = 1_500;

/** May a request from this address register that MAC? Never throws. */
export async function ownsMac(context: Context, clientIp: string, mac: Mac): Promise<boolean> {
  return mayActFor(mac, await macBehind(context, clientIp));
}

/**
 * May a request from this address remove that MAC? A person whose phone is lost removes it from the new one; but a
 * device that is on the Wi-Fi right now is nobody else's to remove.
 */
export async function mayRemove(context: Context, clientIp: string, mac: Mac): Promise<boolean> {
  const own = await macBehind(context, clientIp);
  if (mayActFor(mac, own)) return true;
  const present = await patiently(context.router.hosts({ macs: [mac] }), []);
  return present.length === 0;
}

/** The MAC of the device that is asking; null: the router does not know it, or cannot be asked. Never throws. */
export async function macBehind({ router, hostTable }: Context, clientIp: string): Promise<Mac | null> {
  if (router.state !== 'connected' || router.isAt(clientIp)) return null;
  return patiently(hostTable.macBehind(clientIp), null);
}

async function patiently<Answer>(asked: Promise<Answer>, otherwise: Answer): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<Answer>(resolve => {
    timer = setTimeout(() => resolve(otherwise), PATIENCE_MS);
  });
  try {
    return await Promise.race([asked.catch(() => otherwise), patience]);
  } finally {
    clearTimeout(timer);
  }
}
