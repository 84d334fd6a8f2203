/** Opening a session for an admin who has proven who they are. See docs/rules.md: Admins. */
import { randomBytes } from 'node:crypto';
import type { LoggedIn } from '../contract/auth.ts';
import type { Admin } from '../domain/admins.ts';
import type { Context } from './context.ts';
import { tokenHash } from './credentials.ts';
import { networkOf } from './rate-limits.ts';
import type { Input } from './route.ts';
import { adminView } from './views/admins.ts';

const LONGEST_USER_AGENT = 200;

/**
 * @param code the second factor as it was typed, where one is needed
 * @returns the reply of a login, the only one that ever holds the tokens
 * @throws LangoError LOGIN_FAILED the second factor is wrong
 */
export async function openSession(
  { commit }: Context,
  admin: Admin,
  code: string | null,
  { clientIp, headers }: Pick<Input, 'clientIp' | 'headers'>,
): Promise<LoggedIn> {
  const token = newToken();
  const accessToken = newToken();
  await commit('openSession', {
    adminId: admin.id,
    tokenHash: tokenHash(token),
    accessHash: tokenHash(accessToken),
    code,
    ip: clientIp,
    network: networkOf(clientIp),
    userAgent: headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
  });
  return {
    success: true,
    message: 'You are logged in.',
    token,
    admin_access_token: accessToken,
    user: adminView(admin),
  };
}

/** 256 random bits. */
function newToken(): string {
  return randomBytes(32).toString('base64url');
}
