/**
 * Who is logged in. The token lives in this tab alone (`sessionStorage`): it survives a reload, and is gone with the
 * tab. It is never put in an address or a cookie, so no other site and no log can send or see it.
 */
import type { Account } from '../../../src/contract/auth.ts';
import type { Role } from '../../../src/contract/endpoint.ts';
import { createStore } from './store.ts';

export interface Session {
  token: string;
  user: Account;
}

const KEY = 'lango-admin';

function remembered(): Session | null {
  try {
    const text = sessionStorage.getItem(KEY);
    return text === null ? null : (JSON.parse(text) as Session);
  } catch {
    return null;
  }
}

export const session = createStore<Session | null>(remembered());

/** Why the login page shows, where that is not plain. */
export const logoutReason = createStore<string | null>(null);

export function beginSession(value: Session): void {
  keep(value);
  logoutReason.set(null);
  session.set(value);
}

/** @param reason what the login page tells */
export function forgetSession(reason: string | null = null): void {
  keep(null);
  logoutReason.set(reason);
  session.set(null);
}

function keep(value: Session | null): void {
  try {
    if (value === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(value));
  } catch {
    // A browser without storage keeps the session until the page is reloaded.
  }
}

/** From the role that may all to the one that may least, as on the server. */
const ROLES: readonly Role[] = ['owner', 'staff', 'cashier'];

/** What a role may not do is not shown; the server refuses it all the same. */
export function may(required: Role): boolean {
  const role = session.get()?.user.role;
  return role !== undefined && ROLES.indexOf(role) <= ROLES.indexOf(required);
}
