/** Who the caller of an admin endpoint is. See docs/rules.md: Admins. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { ROLES } from '../contract/auth.ts';
import type { Role } from '../contract/endpoint.ts';
import { LangoError } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';

/** The credentials of a request, not yet verified. */
export type Presented =
  | { kind: 'none' }
  /** An `Authorization` header of no known scheme, or an empty credential. */
  | { kind: 'unreadable' }
  | { kind: 'bearer'; bearer: string; access: string | null }
  | { kind: 'token'; token: string; access: string | null }
  | { kind: 'access'; access: string };

export interface AdminSession {
  readonly id: number;
  /** When the password was given last. */
  readonly confirmedAt: Instant;
  readonly admin: { readonly id: number; readonly username: string; readonly role: Role };
}

/** Live sessions by the SHA-256 of their tokens, in lower-case hex; null when there is none, or it has ended. */
export interface AdminSessions {
  byTokenHash(hash: string): AdminSession | null;
  byAccessTokenHash(hash: string): AdminSession | null;
}

export type Caller =
  | { kind: 'session'; session: AdminSession }
  /** The configured `SIMPLE_ADMIN_TOKEN`; acts as an owner without a name. */
  | { kind: 'static-token' };

export type Authenticate = (headers: IncomingHttpHeaders) => Caller;

export function presentedCredentials(headers: IncomingHttpHeaders): Presented {
  const { authorization } = headers;
  const header = headers['x-admin-access'];
  const access = header === undefined ? null : String(header);
  if (access === '') return { kind: 'unreadable' };
  if (authorization === undefined) return access === null ? { kind: 'none' } : { kind: 'access', access };
  const [, scheme, credential] = /^(bearer|token) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme === undefined || credential === undefined) return { kind: 'unreadable' };
  return scheme.toLowerCase() === 'bearer'
    ? { kind: 'bearer', bearer: credential, access }
    : { kind: 'token', token: credential, access };
}

/**
 * Every credential that is presented must be valid, and all of them must be of one session; `Token T` alone is not
 * enough. Where the configured token stands beside a session's, the caller is the session's admin, who has a name.
 * @returns a function that throws LangoError UNAUTHENTICATED, with one message for every reason
 */
export function createAuthenticate(options: {
  sessions: AdminSessions;
  /** `SIMPLE_ADMIN_TOKEN`; null: none is configured. */
  staticToken: string | null;
}): Authenticate {
  const { sessions } = options;
  const staticDigest = options.staticToken === null ? null : sha256(options.staticToken);
  const isStatic = (digest: Buffer) => staticDigest !== null && timingSafeEqual(digest, staticDigest);

  function byBearer(bearer: string): Caller | null {
    const digest = sha256(bearer);
    return isStatic(digest) ? { kind: 'static-token' } : sessionCaller(sessions.byTokenHash(digest.toString('hex')));
  }

  function byAccess(access: string): Caller | null {
    const digest = sha256(access);
    if (isStatic(digest)) return { kind: 'static-token' };
    return sessionCaller(sessions.byAccessTokenHash(digest.toString('hex')));
  }

  function resolve(presented: Presented): Caller | null {
    switch (presented.kind) {
      case 'none':
      case 'unreadable':
        return null;
      case 'access':
        return byAccess(presented.access);
      case 'bearer': {
        const caller = byBearer(presented.bearer);
        return presented.access === null ? caller : agreed(caller, byAccess(presented.access));
      }
      case 'token': {
        if (presented.access === null) return null;
        const session = sessions.byTokenHash(sha256(presented.token).toString('hex'));
        return agreed(sessionCaller(session), byAccess(presented.access));
      }
    }
  }

  return headers => {
    const caller = resolve(presentedCredentials(headers));
    if (caller === null) throw new LangoError('UNAUTHENTICATED', 'Sign in as an admin to use this.');
    return caller;
  };
}

/** The session of a person. @throws LangoError FORBIDDEN the configured token is no person */
export function ownSession(caller: Caller): AdminSession {
  if (caller.kind === 'session') return caller.session;
  throw new LangoError('FORBIDDEN', 'The configured token has no account of its own. Log in as an admin.');
}

/** @throws LangoError FORBIDDEN when the caller's role is below what is required */
export function requireRole(caller: Caller, required: Role): void {
  if (hasRole(caller, required)) return;
  throw new LangoError('FORBIDDEN', `This needs an admin with the role ${required}; yours is ${roleOf(caller)}.`);
}

export function hasRole(caller: Caller, required: Role): boolean {
  // The roles are listed from the one that may all to the one that may least.
  return ROLES.indexOf(roleOf(caller)) <= ROLES.indexOf(required);
}

function roleOf(caller: Caller): Role {
  return caller.kind === 'static-token' ? 'owner' : caller.session.admin.role;
}

/** The hash under which a session's token is stored: SHA-256, lower-case hex. */
export function tokenHash(token: string): string {
  return sha256(token).toString('hex');
}

function sessionCaller(session: AdminSession | null): Caller | null {
  return session === null ? null : { kind: 'session', session };
}

function agreed(first: Caller | null, second: Caller | null): Caller | null {
  if (first === null || second === null) return null;
  if (first.kind === 'static-token') return second;
  if (second.kind === 'static-token') return first;
  return first.session.id === second.session.id ? first : null;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
