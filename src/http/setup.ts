/** The first start: whoever holds the one-time code makes the first owner. See docs/rules.md: Admins. */

import { readSetUp, setUp } from '../contract/auth.ts';
import { openSession } from './admin-login.ts';
import type { Context } from './context.ts';
import type { Api } from './route.ts';

export function setupRoutes(api: Api, context: Context): void {
  const { reads, commit, passwords, limits } = context;
  api.handle(readSetUp, () => ({ needed: reads.admins.count() === 0 }));

  api.handle(
    setUp,
    async ({ body, clientIp, headers }) => {
      const input = {
        setupCode: body.setup_code,
        username: body.username,
        passwordHash: await passwords.hash(body.password, 'anonymous'),
        email: body.email ?? '',
      };
      const admin = await commit('setUp', input, { adminId: null, name: 'set-up page', ip: clientIp });
      return openSession(context, admin, null, { clientIp, headers });
    },
    { limit: limits.login },
  );
}
