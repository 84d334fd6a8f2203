/** The second factor of an admin's own account. See docs/rules.md: Admins. */
import { confirmTotp, disableTotp, startTotp } from '../contract/auth.ts';
import { requireAdmin } from '../domain/admins.ts';
import { invalid } from '../domain/errors.ts';
import { DEFAULT_BRANDING } from '../domain/settings.ts';
import { newRecoveryCodes, newTotpSecret, otpauthUrl, recoveryHash } from '../domain/totp.ts';
import { attempt, requireConfirmed, sessionSubject } from './confirmation.ts';
import type { Context } from './context.ts';
import { ownSession } from './credentials.ts';
import type { Api } from './route.ts';

export function totpRoutes(api: Api, context: Context): void {
  const { reads, commit, passwords, limits } = context;
  api.handle(startTotp, async ({ caller }) => {
    const admin = requireAdmin(reads, ownSession(caller).admin.id);
    requireConfirmed(context, caller);
    const totpSecret = newTotpSecret();
    await commit('startTotp', { adminId: admin.id, secret: totpSecret });
    const { businessName } = reads.settings.get('branding') ?? DEFAULT_BRANDING;
    const issuer = `Lango ${businessName}`;
    return {
      success: true,
      message: 'Scan this with an authenticator app, then confirm with its code.',
      secret: totpSecret,
      otpauth_url: otpauthUrl(totpSecret, issuer, admin.username),
    };
  });

  api.handle(
    confirmTotp,
    async ({ caller, body, actor }) => {
      const { admin } = ownSession(caller);
      requireConfirmed(context, caller);
      const codes = newRecoveryCodes();
      const input = { adminId: admin.id, code: body.code, recoveryHashes: codes.map(recoveryHash) };
      await commit('confirmTotp', input, actor);
      return {
        success: true,
        message: 'The second factor is on. Keep these codes: each opens one login without the phone.',
        recovery_codes: codes,
      };
    },
    { limit: limits.login },
  );

  api.handle(
    disableTotp,
    ({ caller, body, actor }) => {
      const adminId = ownSession(caller).admin.id;
      return attempt(limits.adminAttempts.take(null, sessionSubject(adminId)), async () => {
        const isRight = await passwords.verify(reads.admins.passwordHashOf(adminId), body.password);
        if (!isRight) invalid('password', 'The password is wrong.');
        await commit('disableTotp', { adminId, code: body.code }, actor);
        return { success: true, message: 'The second factor is off.' };
      });
    },
    { limit: limits.login },
  );
}
