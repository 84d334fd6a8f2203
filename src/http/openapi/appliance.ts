/** What staff do with router, appliance and admins. */
import { done, type Operations, paged } from './operation.ts';
import { flag, instant, integer, nullable, object, text, the } from './schemas.ts';

export const applianceOperations: Operations = {
  'GET /admin/admins/': { summary: 'Admins by name', reply: paged('admins', the.Admin) },
  'POST /admin/admins/': {
    summary: 'Add an admin',
    status: 201,
    reply: done({ admin: the.Admin }),
    refuses: [409],
  },
  'PUT /admin/admins/:admin_id/': {
    summary: 'Change an admin; the last active owner stays one',
    reply: done({ admin: the.Admin }),
    refuses: [409],
  },
  'POST /admin/admins/:admin_id/password/': {
    summary: 'Set a password; the own one with current_password. Ends every session of that admin',
    reply: done(),
  },
  'GET /admin/admins/:admin_id/sessions/': {
    summary: 'Where an admin is logged in',
    reply: paged(
      'sessions',
      object({
        id: integer,
        created_at: instant,
        last_seen_at: instant,
        expires_at: instant,
        ip: nullable(text),
        user_agent: nullable(text),
        current: flag,
      }),
    ),
  },
  'POST /admin/sessions/:session_id/end/': { summary: 'End a session', reply: done() },
};
