/** Admins of any role, logged in, without the wait and the limits of a login. */
import { randomBytes } from 'node:crypto';
import type { Role } from '../../src/domain/admins.ts';
import { tokenHash } from '../../src/http/credentials.ts';
import type { TestApp } from './app.ts';
import { ACTOR } from './books.ts';

export const STAFF_PASSWORD = 'a good long password';

export interface Colleague {
  id: number;
  username: string;
  sessionId: number;
  token: string;
  access: string;
  /** `Authorization: Bearer` of the session. */
  headers: Record<string, string>;
}

/** Makes an admin with `STAFF_PASSWORD` and a session. */
export async function hire(app: TestApp, role: Role, username = `the-${role}`): Promise<Colleague> {
  const { commit, passwords } = app.context;
  const passwordHash = await passwords.hash(STAFF_PASSWORD);
  const account = { username, passwordHash, email: `${username}@example.com`, role, onlyFirst: false };
  const { id } = await commit('createAdmin', account, ACTOR);
  return { id, username, ...(await openSession(app, id)) };
}

/** Another session of the same admin. */
export async function openSession(app: TestApp, adminId: number): Promise<Omit<Colleague, 'id' | 'username'>> {
  const [token, access] = [0, 1].map(() => randomBytes(32).toString('base64url')) as [string, string];
  const session = await app.context.commit('openSession', {
    adminId,
    tokenHash: tokenHash(token),
    accessHash: tokenHash(access),
    code: null,
    ip: '127.0.0.1',
    network: '127.0.0.1',
    userAgent: 'test',
  });
  return { sessionId: session.id, token, access, headers: { authorization: `Bearer ${token}` } };
}
