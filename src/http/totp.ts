/** The second factor of an admin's own account. Decisions: 10. */
import { requireAdmin } from '../domain/admins.ts';
import { invalid, LangoError } from '../domain/errors.ts';
import { DEFAULT_BRANDING } from '../domain/settings.ts';
import { newRecoveryCodes, newTotpSecret, otpauthUrl, recoveryHash } from '../domain/totp.ts';
import type { Context } from './context.ts';
import type { Caller } from './credentials.ts';
import { fields, secret } from './fields.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';

const Confirm = fields({ code: secret(64) });
const Disable = fields({ password: secret(1_024), code: secret(64) });

export function totpRoutes(api: Api, { reads, commit, clock, passwords, limits }: Context): void {
  api.post(
    '/auth/totp/start/',
    route({ auth: 'cashier' }, async ({ caller }) => {
      const admin = requireAdmin(reads, ownId(caller));
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
      const codes = newRecoveryCodes();
      await commit('confirmTotp', {
        adminId: ownId(caller),
        code: body.code,
        recoveryHashes: codes.map(recoveryHash),
        actor,
        now: clock.now(),
      });
      return json(200, {
        success: true,
        message: 'The second factor is on. Keep these codes: each opens one login without the phone.',
        recovery_codes: codes,
      });
    }),
  );

  api.post(
    '/auth/totp/disable/',
    route({ auth: 'cashier', body: Disable, limit: limits.login }, async ({ caller, body, actor }) => {
      const adminId = ownId(caller);
      const isRight = await passwords.verify(reads.admins.passwordHashOf(adminId), body.password);
      if (!isRight) invalid('password', 'The password is wrong.');
      await commit('disableTotp', { adminId, code: body.code, actor, now: clock.now() });
      return json(200, { success: true, message: 'The second factor is off.' });
    }),
  );
}

/** @throws LangoError FORBIDDEN the configured token is no person */
function ownId(caller: Caller): number {
  if (caller.kind === 'session') return caller.session.admin.id;
  throw new LangoError('FORBIDDEN', 'The configured token has no account of its own. Log in as an admin.');
}
