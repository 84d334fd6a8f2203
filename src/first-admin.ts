import { randomBytes } from 'node:crypto';
import type { Config } from './config.ts';
import { setupCodeHash } from './domain/admins.ts';
import type { Context } from './http/context.ts';

/** With no admin yet: the configured one, or a one-time code in the log that opens the set-up page. */
export async function firstAdmin(config: Config, { reads, commit, log, passwords }: Context): Promise<void> {
  if (reads.admins.count() > 0) return;
  const actor = { adminId: null, name: 'first start', ip: null };
  if (config.firstAdmin !== null) {
    const { username, password } = config.firstAdmin;
    const passwordHash = await passwords.hash(password);
    await commit('createAdmin', { username, passwordHash, email: '', role: 'owner', onlyFirst: true }, actor);
    return;
  }
  const setupCode = randomBytes(9)
    .toString('hex')
    .replace(/(.{6})(?=.)/g, '$1-');
  await commit('openSetup', { codeHash: setupCodeHash(setupCode) });
  log.warn(
    { setupCode, open: `${config.baseUrl}/api/admin/` },
    'setup.open: no admin yet; this code opens the set-up page',
  );
}
