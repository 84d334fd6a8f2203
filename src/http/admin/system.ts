/** The appliance itself: settings, status, clock, jobs, messages. Interface: "System and analytics". */
import * as v from 'valibot';
import { DEFAULT_BRANDING } from '../../domain/settings.ts';
import { localClock } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { fields, oneOf, optional, pageSizeText, pageText, phone, text } from '../fields.ts';
import { paginationView } from '../pagination.ts';
import { PORTAL_LANGUAGES } from '../portal.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { statusNumbers } from '../views/numbers.ts';
import {
  brandingView,
  clockView,
  connectionStatus,
  jobView,
  settingsView,
  smsView,
  vitalsView,
} from '../views/system.ts';
import { disconnectPerson, inTime } from './disconnect.ts';

/** A logo travels inside every portal page, to phones that are not online yet. */
const LONGEST_LOGO = 32_768;

const Branding = fields({
  business_name: text(60),
  logo_url: optional(webAddress(LONGEST_LOGO, 'image')),
  primary_color: v.pipe(v.string('Give a colour.'), v.regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #rrggbb.')),
  support_phone: optional(text(30)),
  terms_url: optional(webAddress(500)),
  language: optional(oneOf(PORTAL_LANGUAGES)),
});
const Page = fields({ page: pageText(), page_size: pageSizeText() });

export function systemRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, router, policy, defaultCountry } = context;

  api.get(
    '/admin/settings/',
    route({ auth: 'owner' }, () => json(200, { success: true, settings: settingsView(context) })),
  );

  api.post(
    '/admin/settings/branding/',
    route({ auth: 'owner', body: Branding }, async ({ body, actor }) => {
      const branding = await commit('changeBranding', {
        branding: {
          businessName: body.business_name,
          logoUrl: body.logo_url ?? DEFAULT_BRANDING.logoUrl,
          primaryColor: body.primary_color.toLowerCase(),
          supportPhone: body.support_phone ?? DEFAULT_BRANDING.supportPhone,
          termsUrl: body.terms_url ?? DEFAULT_BRANDING.termsUrl,
          language: body.language ?? DEFAULT_BRANDING.language,
        },
        actor,
        now: clock.now(),
      });
      return json(200, { success: true, message: 'The portal shows this now.', branding: brandingView(branding) });
    }),
  );

  api.get(
    '/admin/status/',
    route({ auth: 'cashier' }, async () => {
      const status = {
        database_status: context.health().databaseConnected ? 'connected' : 'disconnected',
        router_status: connectionStatus(context),
        ...vitalsView(await context.vitals()),
        ...statusNumbers(context),
      };
      return json(200, { success: true, status, timestamp: clock.now() });
    }),
  );

  api.post(
    '/admin/clock/confirm/',
    route({ auth: 'owner' }, async ({ actor }) => {
      const before = clockView(context);
      clock.confirm();
      const now = clock.now();
      await commit('noteAction', { action: 'clock.confirm', subject: 'clock', details: before, actor, now });
      const message = `The clock counts as right: it is ${localClock(now, policy.timeZone)}.`;
      return json(200, { success: true, message, clock: clockView(context) });
    }),
  );

  api.get(
    '/admin/jobs/',
    route({ auth: 'staff' }, () => json(200, { success: true, jobs: context.jobs().map(jobView) })),
  );

  api.get(
    '/admin/sms/',
    route({ auth: 'staff', query: Page }, ({ query }) => {
      const { page, page_size: pageSize } = query;
      const messages = reads.sms.list({ limit: pageSize, offset: (page - 1) * pageSize }).map(smsView);
      const pagination = paginationView({ page, pageSize, total: reads.sms.count() });
      return json(200, { success: true, messages, pagination });
    }),
  );

  const ForceLogout = fields({ phone_number: phone(defaultCountry) });
  api.post(
    '/force-logout/',
    route({ auth: 'cashier', body: ForceLogout, errors: 'router' }, async ({ body, actor }) => {
      const user = reads.users.byPhone(body.phone_number);
      const macs = user === null ? [] : reads.devices.ofUser(user.id).map(device => device.mac);
      const ended = await inTime(disconnectPerson(router, { phone: body.phone_number, macs }));
      const now = clock.now();
      const details = { userId: user?.id ?? null, sessions: ended };
      await commit('noteAction', { action: 'user.force_logout', subject: 'user', details, actor, now });
      const isPaid = user?.isActive === true && user.paidUntil !== null && user.paidUntil > now;
      const done = ended === 0 ? 'Nobody was online with this number.' : `${ended} session(s) ended.`;
      const butPaid =
        isPaid && user.paidUntil !== null
          ? ` Paid time is still running until ${localClock(user.paidUntil, policy.timeZone)}, so a device comes back online; block the user (is_active: false) to prevent it.`
          : '';
      return json(200, { success: true, message: done + butPaid, router_response: `${ended} session(s) removed` });
    }),
  );
}

/** An address that a browser may open; for images also one that holds the image itself. */
function webAddress(longest: number, kind: 'page' | 'image' = 'page'): v.GenericSchema<string, string> {
  const isImage = kind === 'image';
  const message = `Give an address that begins with https://, http:// or /${isImage ? ', or an image as data:image/…;base64' : ''}, of ${longest} characters at most.`;
  const pattern = isImage
    ? /^(https?:\/\/|\/(?!\/)|data:image\/(png|jpeg|webp|svg\+xml);base64,)[^\s"<>]+$/
    : /^(https?:\/\/|\/(?!\/))[^\s"<>]+$/;
  return v.pipe(v.string(message), v.trim(), v.maxLength(longest, message), v.regex(pattern, message));
}
