/** What staff do with router, appliance and admins. */
import { done, found, type Operations, paged } from './operation.ts';
import { anything, flag, instant, integer, list, nullable, number, object, phone, text, the, word } from './schemas.ts';

const connection = word('connected', 'disconnected');
const paymentProvider = { name: text, sandbox: flag };

export const applianceOperations: Operations = {
  'GET /router/status/': {
    summary: 'Is the router there; answers 200 also when it is not',
    reply: object({
      success: flag,
      router_ip: text,
      router_port: integer,
      hotspot_name: text,
      admin_user: text,
      timestamp: instant,
      connection_status: connection,
      connection_details: object({
        success: flag,
        message: text,
        router_info: nullable(object({ identity: text, version: text, uptime: text })),
      }),
      active_users: integer,
    }),
  },
  'GET /admin/status/': {
    summary: 'How the appliance and the business fare',
    reply: found({
      status: object({
        database_status: connection,
        router_status: connection,
        uptime: text,
        memory_usage: text,
        disk_usage: text,
        active_users: integer,
        payments_today: integer,
        revenue_today: number,
        payments_week: integer,
        revenue_week: number,
        total_users: integer,
        active_bundles: integer,
        pending_payments: integer,
        online: integer,
        problems: list(text),
        warnings: list(text),
        payment_provider: object(paymentProvider),
      }),
      timestamp: instant,
    }),
  },
  'POST /admin/clock/confirm/': {
    summary: 'The clock on the wall is right, though it jumped',
    reply: done({ clock: the.Clock }),
  },
  'GET /admin/jobs/': {
    summary: 'What the appliance does by itself, and whether it does',
    reply: found({
      jobs: list(
        object({
          name: text,
          period_seconds: integer,
          last_finished_at: nullable(instant),
          last_error: nullable(text),
          late: flag,
        }),
      ),
    }),
  },
  'GET /admin/sms/': {
    summary: 'Messages and what became of them, newest first',
    reply: paged(
      'messages',
      object({
        id: integer,
        phone_number: phone,
        kind: text,
        status: word('queued', 'sending', 'sent', 'failed', 'uncertain', 'dropped'),
        text,
        attempts: integer,
        created_at: instant,
        sent_at: nullable(instant),
        message: nullable(text),
      }),
    ),
  },
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
  'GET /admin/audit-log/': {
    summary: 'Who changed what, when, from where; newest first',
    reply: paged(
      'entries',
      object({
        id: integer,
        at: instant,
        admin_id: nullable(integer),
        admin: text,
        ip: nullable(text),
        action: text,
        subject: text,
        subject_id: nullable(integer),
        before: anything,
        after: anything,
      }),
    ),
  },
  'GET /admin/events/': {
    summary: 'Live numbers as server-sent events: at once, on change, and every five seconds',
    type: 'text/event-stream',
    reply: text,
  },
};
