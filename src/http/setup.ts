/** The first start: whoever holds the one-time code makes the first owner. See docs/rules.md: Admins. */

import { logIn } from './admin-login.ts';
import type { Context } from './context.ts';
import { email, fields, newPassword, optional, secret, username } from './fields.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';

const SetUp = fields({
  setup_code: secret(64),
  username: username(),
  password: newPassword(),
  email: optional(email()),
});

export function setupRoutes(api: Api, context: Context): void {
  const { reads, commit, passwords, limits } = context;
  api.get(
    '/auth/setup/',
    route({ auth: 'none' }, () => json(200, { needed: reads.admins.count() === 0 })),
  );

  api.post(
    '/auth/setup/',
    route({ auth: 'none', body: SetUp, limit: limits.login }, async ({ body, clientIp, headers }) => {
      const input = {
        setupCode: body.setup_code,
        username: body.username,
        passwordHash: await passwords.hash(body.password, 'stranger'),
        email: body.email ?? '',
      };
      const admin = await commit('setUp', input, { adminId: null, name: 'set-up page', ip: clientIp });
      return logIn(context, admin, null, { clientIp, headers });
    }),
  );
}
