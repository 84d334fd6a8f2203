/** Whose device is asking: what the router's host table says of the address that a request comes from. */
import type { Asker } from '../domain/asker.ts';
import { withDeadline } from '../domain/deadline.ts';
import type { Mac } from '../domain/mac.ts';
import type { Context } from './context.ts';

/** How long a request waits for the host table; after that the device is unknown. */
const TIMEOUT_MS = 1_500;

/** Never throws. */
export async function askerOf(context: Context, clientIp: string): Promise<Asker> {
  if (context.router.settings === null) return 'no_router';
  return (await macBehind(context, clientIp)) ?? 'unknown';
}

/** The MAC of the device that is asking; null: the router does not know it, or cannot be asked. Never throws. */
export async function macBehind({ router, hostTable }: Context, clientIp: string): Promise<Mac | null> {
  if (router.state !== 'connected' || router.isAt(clientIp)) return null;
  return withDeadline(hostTable.macBehind(clientIp), TIMEOUT_MS, () => null);
}
