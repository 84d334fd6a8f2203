/**
 * What the documented on-login and on-logout scripts do on a router: report with `/tool fetch`, and end a
 * session that the appliance refuses.
 */
import type { EventEmitter } from 'node:events';
import type { HookEvent, LogoutEvent, RouterEvents } from './events.ts';
import type { Hotspot } from './hotspot.ts';
import type { RouterKnobs } from './knobs.ts';

/** `/tool fetch` gives up by itself; a person is not kept waiting for longer. */
const FETCH_TIMEOUT_MS = 10_000;

type Person = Pick<LogoutEvent, 'user' | 'mac' | 'address'>;

/** Runs the scripts for as long as `hookUrl` names an appliance. @returns the way to stop them */
export function runLoginScripts(events: EventEmitter<RouterEvents>, hotspot: Hotspot, knobs: RouterKnobs): () => void {
  const stopping = new AbortController();
  const post = async (call: HookEvent['call'], who: Person): Promise<number | null> => {
    try {
      const reply = await fetch(new URL(`/api/router/${call}/`, knobs.hookUrl ?? ''), {
        method: 'POST',
        body: new URLSearchParams({ username: who.user, password: '', mac: who.mac, ip: who.address }),
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]),
      });
      await reply.arrayBuffer();
      return reply.status;
    } catch {
      return null;
    }
  };
  const report = async (call: HookEvent['call'], who: Person): Promise<void> => {
    if (knobs.hookUrl === null) return;
    const session = hotspot.sessionAt(who.address);
    const status = await post(call, who);
    if (stopping.signal.aborted) return;
    events.emit('hook', { call, user: who.user, mac: who.mac, status });
    // `on-error` of the script cannot tell a refusal from an appliance that does not answer.
    const isAllowed = status !== null && status >= 200 && status < 300;
    if (call === 'auth' && !isAllowed && session !== undefined) hotspot.end(session, 'refused');
  };

  events.on('login', login => void report('auth', login));
  events.on('logout', logout => void report('logout', logout));
  return () => stopping.abort();
}
