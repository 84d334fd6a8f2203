/** What staff do with router, appliance and admins. */
import { done, found, type Operations, paged } from './operation.ts';
import { anything, flag, instant, integer, list, nullable, number, object, phone, text, the, word } from './schemas.ts';

const connection = word('connected', 'disconnected');
const paymentProvider = { name: text, sandbox: flag };
const cashiers = object({ sell_within_shift: flag, vouchers_per_day: integer });

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
  'GET /admin/settings/': {
    summary: 'How the appliance is set up; keys only as configured or not',
    reply: found({
      settings: object({
        router: object({
          router_ip: text,
          username: text,
          hotspot_name: text,
          api_port: integer,
          connection_status: connection,
          problem: nullable(text),
        }),
        payment_provider: object({
          ...paymentProvider,
          provider: text,
          api_key_configured: flag,
          webhook_url: text,
          environment: word('sandbox', 'live'),
          last_webhook_at: nullable(instant),
        }),
        sms_provider: object({ provider: text, api_key_configured: flag, sender_id: text }),
        system: object({
          debug_mode: flag,
          allowed_hosts: list(text),
          time_zone: text,
          language_code: text,
          currency: text,
          default_country: text,
          default_max_devices: integer,
        }),
        branding: the.Branding,
        messages: list(the.MessageText),
        limits: the.Limits,
        cashiers,
        devices: the.DevicePolicy,
        clock: the.Clock,
      }),
    }),
  },
  'POST /admin/settings/check-provider/': {
    summary: 'Ask the payment provider now whether it answers and takes the keys',
    reply: { success: flag, message: text },
  },
  'POST /admin/settings/branding/': {
    summary: 'How the portal looks; what is left out goes back to what it is by default',
    reply: done({ branding: the.Branding }),
  },
  'POST /admin/settings/messages/': {
    summary: 'What a message says in a language, in place of the built-in words; without text, those again',
    reply: done({ messages: list(the.MessageText) }),
  },
  'POST /admin/settings/limits/': {
    summary: 'What people, orders and messages are held to, at once; what is left out is again as configured',
    reply: done({ limits: the.Limits }),
  },
  'POST /admin/settings/cashiers/': {
    summary: 'When cashiers sell, and how many vouchers they make a day; what is left out stays',
    reply: done({ cashiers }),
  },
  'POST /admin/settings/devices/': {
    summary: 'How strict to be with devices; what is left out stays',
    reply: done({ devices: the.DevicePolicy }),
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
