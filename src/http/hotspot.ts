/** What the router itself calls, and the frontend in its place. See docs/interface.md: Hotspot router. */
import { type GrantSource, hasAccess } from '../domain/access.ts';
import { isDevice, mayName } from '../domain/asker.ts';
import type { SeenDevice } from '../domain/devices.ts';
import { LangoError } from '../domain/errors.ts';
import { type AuthAnswer, type AuthQuestion, type AuthRefusal, answerFromBooks } from '../domain/hotspot.ts';
import type { Mac } from '../domain/mac.ts';
import { formatAmount } from '../domain/money.ts';
import { parsePhone, stripDeviceSuffix } from '../domain/phone.ts';
import { apiPort } from '../domain/ports.ts';
import type { Instant } from '../domain/time.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';
import { aliased, fields, ip, mac, optional, routerName, text as textField } from './fields.ts';
import { liveSessions } from './live-sessions.ts';
import { askerOf, macBehind } from './own-device.ts';
import { json, type Reply, text } from './reply.ts';
import { type Api, type Input, route } from './route.ts';
import { routerInfoView, sessionView } from './views/router.ts';

const NAMES = { username: 'phone_number', mac: 'mac_address', ip: 'ip_address' };

export function hotspotRoutes(api: Api, context: Context): void {
  const { defaultCountry } = context;
  const Auth = aliased(
    NAMES,
    fields({ phone_number: routerName(defaultCountry), mac_address: optional(mac()), ip_address: optional(ip()) }),
  );
  const Logout = aliased(NAMES, fields({ phone_number: routerName(defaultCountry), ip_address: optional(ip()) }));
  const Person = aliased({ phone_number: 'username' }, fields({ username: textField(64) }));
  const limit = context.limits.routerQuestions;
  const fromRouter = { auth: 'none', accepts: 'json-or-form', plainErrors: true, limit } as const;

  api.post(
    '/router/auth/',
    route({ ...fromRouter, body: Auth, errors: 'router-auth' }, input => {
      const { body, wantsJson } = input;
      const device = body.mac_address === undefined ? null : { mac: body.mac_address, ip: body.ip_address ?? null };
      const { phone } = body.phone_number;
      if (phone === null) return refused(refusalMessage('unknown', null), wantsJson);
      const question = { phone, device };
      const known = answerFromBooks(context.reads, question, context.clock.now());
      if (known === null) return admitNewDevice(context, question, input);
      if (known.seen !== null) context.noteSeen(known.seen, device?.ip ?? null);
      return authReply(context, known.answer, device, wantsJson);
    }),
  );

  api.post(
    '/router/logout/',
    route({ ...fromRouter, body: Logout, errors: 'router' }, async ({ body, clientIp, wantsJson }) => {
      const { name, phone } = body.phone_number;
      if (phone !== null) await endOwnSession(context, phone, body.ip_address ?? null, clientIp);
      if (!wantsJson) return PLAIN_OK;
      return json(200, { success: true, message: 'Logged out.', user: phone ?? name });
    }),
  );

  const status = (username: string, asker: Asker) => userStatus(context, username, asker);
  api.get(
    '/router/user-status/',
    route({ auth: 'none', query: Person, errors: 'router', limit }, input => status(input.query.username, input)),
  );
  api.post(
    '/router/user-status/',
    route({ auth: 'none', accepts: 'json-or-form', body: Person, errors: 'router', limit }, input =>
      status(input.body.username, input),
    ),
  );

  api.get(
    '/router/status/',
    route({ auth: 'cashier', errors: 'router' }, async ({ actor }) =>
      json(200, await routerStatus(context, actor.name)),
    ),
  );
}

const PLAIN_OK = text(200, 'OK');

// ----------------------------------------------------------------------------------------------- auth

const ELSEWHERE = 'Please open this page on the device that is to go online.';

function refusalMessage(reason: AuthRefusal, user: AuthAnswer['user']): string {
  switch (reason) {
    case 'unknown':
      return 'User not found. Please pay for a bundle or redeem a voucher.';
    case 'blocked':
      return 'This number is blocked. Please ask the staff.';
    case 'expired':
      return 'The paid time has ended. Please pay for a bundle or redeem a voucher.';
    case 'device_limit':
      return `The limit of ${user?.maxDevices ?? 1} device(s) is reached. Remove one of them to use this one.`;
    case 'unproven':
      return 'A new device needs a proof that this number is yours. Please open the portal on it.';
    case 'held':
      return ELSEWHERE;
    case 'moved_often':
      return 'This device went from one number to another too often. Please try again in an hour.';
  }
}

function refused(message: string, wantsJson: boolean): Reply {
  if (!wantsJson) return text(403, message);
  return json(403, { error: message, 'auth-state': 0, success: false, message });
}

async function admitNewDevice(
  context: Context,
  question: AuthQuestion,
  { clientIp, wantsJson }: { clientIp: string; wantsJson: boolean },
): Promise<Reply> {
  const { device } = question;
  const asker = device === null ? 'unknown' : await askerOf(context, clientIp);
  if (device !== null && !mayName(asker, device.mac)) return refused(ELSEWHERE, wantsJson);
  const named = device === null ? null : { ...device, isItself: isDevice(asker, device.mac) };
  const answer = await context.commit('registerDevice', { ...question, device: named, isProven: false });
  // Whoever had to make way is not left online until the next pass.
  if (answer.allowed && answer.placement === 'replaced') await context.applyAccess(answer.user.id);
  return authReply(context, answer, device, wantsJson);
}

function authReply(context: Context, answer: AuthAnswer, device: SeenDevice | null, wantsJson: boolean): Reply {
  if (!answer.allowed) return refused(refusalMessage(answer.reason, answer.user), wantsJson);
  if (device !== null) void context.wake(device.mac);
  return wantsJson ? json(200, allowedView(context, answer, device)) : PLAIN_OK;
}

type Allowed = Extract<AuthAnswer, { allowed: true }>;

function allowedView({ reads }: Context, answer: Allowed, device: SeenDevice | null) {
  const { user, deviceCount, placement } = answer;
  return {
    'auth-state': 1,
    success: true,
    authenticated: true,
    message: 'Access granted.',
    user: user.phone,
    device_count: deviceCount,
    max_devices: user.maxDevices,
    access_type: reads.grants.lastSourceOfUser(user.id) ?? 'admin',
    device_info: {
      current_device: { mac: device?.mac ?? '', ip: device?.ip ?? '', registered: placement !== null },
    },
    router_response: 'OK',
  };
}

// --------------------------------------------------------------------------------------------- logout

/**
 * The router says goodbye when a session is over already. Anybody else may end only the session of the device that
 * is asking: the paid time runs on, and the device may come back.
 */
async function endOwnSession(
  context: Context,
  number: User['phone'],
  address: string | null,
  clientIp: string,
): Promise<void> {
  const { reads, router, presence, log } = context;
  const user = reads.users.byPhone(number);
  if (user === null || router.state !== 'connected') return;
  const own = await macBehind(context, clientIp);
  if (own === null || reads.devices.byMac(own)?.userId !== user.id) return;
  try {
    const sessions = await router.sessions({ macs: [own] });
    if (!sessions.some(session => address === null || address === session.address)) return;
    await router.endSessions({ mac: own });
    presence.seeSome([own], []);
  } catch (error) {
    log.info({ err: error }, 'router.session_not_ended');
  }
}

// ---------------------------------------------------------------------------------------- user status

const USER_TYPES: Record<GrantSource, string> = {
  payment: 'payment_user',
  voucher: 'voucher_user',
  admin: 'admin_user',
  refund: 'payment_user',
};

type Asker = Pick<Input, 'clientIp' | 'actor'>;

async function userStatus(context: Context, username: string, asker: Asker): Promise<Reply> {
  const { reads, clock, defaultCountry } = context;
  const number = parsePhone(stripDeviceSuffix(username.trim()), defaultCountry);
  const user = number === null ? null : reads.users.byPhone(number);
  if (user === null) {
    return json(404, { success: false, message: 'This user is not known.', username, user_type: 'unknown' });
  }
  const now = clock.now();
  const devices = reads.devices.ofUser(user.id);
  const isTold = await mayKnowDevices(context, devices, asker);
  const [session] = isTold ? await liveSessions(context, devices) : [];
  const source = reads.grants.lastSourceOfUser(user.id);
  return json(200, {
    success: true,
    user_type: source === null ? 'user' : USER_TYPES[source],
    username: user.phone,
    is_active: user.isActive,
    has_active_access: hasAccess(user, now),
    status: accessStatus(user, now),
    user_info: {
      user_id: user.id,
      phone_number: user.phone,
      is_active: user.isActive,
      paid_until: user.paidUntil,
      created_at: user.createdAt,
      device_count: devices.length,
    },
    devices: (isTold ? devices : []).map(device => ({
      mac_address: device.mac,
      first_seen: device.firstConnected,
      last_seen: device.lastSeen,
      is_active: device.removedAt === null,
    })),
    payment_info: isTold ? paymentInfo(context, user) : null,
    router_session: session === undefined ? null : sessionView(session),
    timestamp: now,
  });
}

/** Devices, payment and session are for the router, staff and the person's own devices; a number is no secret. */
async function mayKnowDevices(context: Context, devices: readonly { mac: Mac }[], asker: Asker): Promise<boolean> {
  if (asker.actor !== null || context.router.isAt(asker.clientIp)) return true;
  const own = await macBehind(context, asker.clientIp);
  return own !== null && devices.some(device => device.mac === own);
}

function accessStatus(user: User, now: Instant): 'active' | 'blocked' | 'expired' | 'inactive' {
  if (!user.isActive) return 'blocked';
  if (user.paidUntil === null) return 'inactive';
  return hasAccess(user, now) ? 'active' : 'expired';
}

function paymentInfo({ reads }: Context, user: User) {
  const payment = reads.payments.lastCompletedOfUser(user.id);
  if (payment === null) return null;
  return {
    bundle_name: payment.bundleName,
    amount: formatAmount(payment.amount),
    paid_at: payment.completedAt,
    expires_at: user.paidUntil,
  };
}

// -------------------------------------------------------------------------------------- router status

async function routerStatus({ router, clock }: Context, adminName: string) {
  const { settings } = router;
  const base = {
    router_ip: settings?.host ?? '',
    router_port: settings?.port ?? apiPort(false),
    hotspot_name: settings?.hotspot ?? '',
    admin_user: adminName,
    timestamp: clock.now(),
  };
  try {
    const [resources, sessions] = await Promise.all([router.resources(), router.sessions()]);
    const details = { success: true, message: 'The router answers.', router_info: routerInfoView(resources) };
    return {
      success: true,
      ...base,
      connection_status: 'connected',
      connection_details: details,
      active_users: sessions.length,
    };
  } catch (error) {
    if (!(error instanceof LangoError)) throw error;
    const details = { success: false, message: error.message, router_info: null };
    return { success: false, ...base, connection_status: 'disconnected', connection_details: details, active_users: 0 };
  }
}
