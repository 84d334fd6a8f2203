/** The second factor of an admin's own account. See docs/rules.md: Admins. */
import { requireAdmin } from '../domain/admins.ts';
import { invalid } from '../domain/errors.ts';
import { DEFAULT_BRANDING } from '../domain/settings.ts';
import { newRecoveryCodes, newTotpSecret, otpauthUrl, recoveryHash } from '../domain/totp.ts';
import { attempt, requireConfirmed, sessionSubject } from './confirmation.ts';
import type { Context } from './context.ts';
import { ownSession } from './credentials.ts';
import { fields, secret } from './fields.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';

const Confirm = fields({ code: secret(64) });
const Disable = fields({ password: secret(1_024), code: secret(64) });

export function totpRoutes(api: Api, context: Context): void {
  const { reads, commit, passwords, limits } = context;
  api.post(
    '/auth/totp/start/',
    route({ auth: 'cashier' }, async ({ caller }) => {
      const admin = requireAdmin(reads, ownSession(caller).admin.id);
      requireConfirmed(context, caller);
      const totpSecret = newTotpSecret();
      await commit('startTotp', { adminId: admin.id, secret: totpSecret });
      const { businessName } = reads.settings.get('branding') ?? DEFAULT_BRANDING;
      const issuer = `Lango ${businessName}`;
      return json(200, {
        success: true,
        message: 'Scan this with an authenticator app, then confirm with its code.',
        secret: totpSecret,
        otpauth_url: otpauthUrl(totpSecret, issuer, admin.username),
      });
    }),
  );

  api.post(
    '/auth/totp/confirm/',
    route({ auth: 'cashier', body: Confirm, limit: limits.login }, async ({ caller, body, actor }) => {
      const { admin } = ownSession(caller);
      requireConfirmed(context, caller);
      const codes = newRecoveryCodes();
      const input = { adminId: admin.id, code: body.code, recoveryHashes: codes.map(recoveryHash) };
      await commit('confirmTotp', input, actor);
      return json(200, {
        success: true,
        message: 'The second factor is on. Keep these codes: each opens one login without the phone.',
        recovery_codes: codes,
      });
    }),
  );

  api.post(
    '/auth/totp/disable/',
    route({ auth: 'cashier', body: Disable, limit: limits.login }, ({ caller, body, actor }) => {
      const adminId = ownSession(caller).admin.id;
      return attempt(limits.adminAttempts.take(null, sessionSubject(adminId)), async () => {
        const isRight = await passwords.verify(reads.admins.passwordHashOf(adminId), body.password);
        if (!isRight) invalid('password', 'The password is wrong.');
        await commit('disableTotp', { adminId, code: body.code }, actor);
        return json(200, { success: true, message: 'The second factor is off.' });
      });
    }),
  );
}
