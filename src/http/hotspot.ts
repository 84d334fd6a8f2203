/** What the router itself calls, and the frontend in its place. See docs/interface.md: Hotspot router. */

import type { RefusalOf } from '../contract/endpoint.ts';
import {
  type Admitted,
  admitDevice,
  askForHotspotUser,
  type RouterStatus,
  readHotspotUser,
  readRouterStatus,
  routerLogout,
} from '../contract/hotspot.ts';
import { isDevice, mayName } from '../domain/asker.ts';
import type { SeenDevice } from '../domain/devices.ts';
import { LangoError } from '../domain/errors.ts';
import { type AuthAnswer, type AuthQuestion, type AuthRefusal, answerFromBooks } from '../domain/hotspot.ts';
import type { Mac } from '../domain/mac.ts';
import { parsePhone, stripDeviceSuffix } from '../domain/phone.ts';
import { many } from '../domain/plural.ts';
import type { SiteRouter } from '../domain/site.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';
import { liveSessions } from './live-sessions.ts';
import { askerOf, deviceBehind, macBehind } from './own-device.ts';
import { json, type Reply, text } from './reply.ts';
import type { Api, Input } from './route.ts';
import { admittedView, hotspotUserView, routerStatusView } from './views/hotspot.ts';

export function hotspotRoutes(api: Api, context: Context): void {
  const limit = context.limits.routerQuestions;
  api.handle(
    admitDevice,
    input => {
      const { body, wantsJson } = input;
      const device = body.mac_address === undefined ? null : { mac: body.mac_address, ip: body.ip_address ?? null };
      const { phone } = body.phone_number;
      if (phone === null) return refused(refusalMessage('unknown', null), wantsJson);
      const question = { phone, device };
      const known = answerFromBooks(context.reads, question, context.clock.now());
      if (known === null) return admitNewDevice(context, question, input);
      if (known.seen !== null) context.recordSeen(known.seen, device?.ip ?? null);
      return authReply(context, known.answer, device, input);
    },
    { limit },
  );

  api.handle(
    routerLogout,
    async ({ body, clientIp, wantsJson }) => {
      const { name, phone } = body.phone_number;
      if (phone !== null) await endOwnSession(context, phone, body.ip_address ?? null, clientIp);
      return wantsJson ? { success: true, message: 'Logged out.', user: phone ?? name } : PLAIN_OK;
    },
    { limit },
  );

  api.handle(readHotspotUser, input => userStatus(context, input.query.username, input), { limit });
  api.handle(askForHotspotUser, input => userStatus(context, input.body.username, input), { limit });
  api.handle(readRouterStatus, ({ query, actor }) =>
    routerStatus(context, context.site.router(query.router_id), actor.name),
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
      return `The limit of ${many(user?.maxDevices ?? 1, 'device')} is reached. Remove one of them to use this one.`;
    case 'unproven':
      return 'A new device needs a proof that this number is yours. Please open the portal on it.';
    case 'held':
      return ELSEWHERE;
    case 'moved_often':
      return 'This device went from one number to another too often. Please try again in an hour.';
  }
}

type AuthRequest = Pick<Input, 'clientIp' | 'wantsJson'>;
type Decision = Reply<Admitted | RefusalOf<typeof admitDevice>>;

function refused(message: string, wantsJson: boolean): Decision {
  if (!wantsJson) return text(403, message);
  return json(403, { error: message, 'auth-state': 0, success: false, message });
}

async function admitNewDevice(context: Context, question: AuthQuestion, input: AuthRequest): Promise<Decision> {
  const { device } = question;
  const asker = device === null ? 'unknown' : await askerOf(context, input.clientIp);
  if (device !== null && !mayName(asker, device.mac)) return refused(ELSEWHERE, input.wantsJson);
  const named = device === null ? null : { ...device, isItself: isDevice(asker, device.mac) };
  const answer = await context.commit('registerDevice', { ...question, device: named, isProven: false });
  // The device that lost its place goes offline now, not with the next pass.
  if (answer.allowed && answer.placement === 'replaced') await context.applyAccess(answer.user.id);
  return authReply(context, answer, device, input);
}

function authReply(
  context: Context,
  answer: AuthAnswer,
  device: SeenDevice | null,
  { clientIp, wantsJson }: AuthRequest,
): Decision {
  if (!answer.allowed) return refused(refusalMessage(answer.reason, answer.user), wantsJson);
  if (device !== null) {
    // A router that lets a phone in by itself, and was not known to, has it from another one.
    const router = context.site.routerAt(clientIp);
    const isNews = router !== null && !router.presence.isOnline(device.mac);
    void context.wake(device.mac, isNews ? 'though_online' : undefined);
  }
  return wantsJson ? json(200, admittedView(context, answer, device)) : PLAIN_OK;
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
  const { reads, log } = context;
  const user = reads.users.byPhone(number);
  if (user === null) return;
  const own = await deviceBehind(context, clientIp);
  if (own === null || reads.devices.byMac(own.mac)?.userId !== user.id) return;
  const { mac, routers } = own;
  for (const { port, presence } of routers) {
    try {
      const sessions = await port.sessions({ macs: [mac] });
      if (!sessions.some(session => address === null || address === session.address)) continue;
      await port.endSessions({ mac });
      presence.seeSome([mac], []);
    } catch (error) {
      log.info({ err: error }, 'router.session_not_ended');
    }
  }
}

// ---------------------------------------------------------------------------------------- user status

type Asker = Pick<Input, 'clientIp' | 'actor'>;

async function userStatus(context: Context, username: string, asker: Asker) {
  const { reads, defaultCountry } = context;
  const number = parsePhone(stripDeviceSuffix(username.trim()), defaultCountry);
  const user = number === null ? null : reads.users.byPhone(number);
  if (user === null) {
    return json(404, { success: false, message: 'This user is not known.', username, user_type: 'unknown' } as const);
  }
  const devices = reads.devices.ofUser(user.id);
  const mayKnow = await mayKnowDevices(context, devices, asker);
  const asking = context.site.routerAt(asker.clientIp);
  const routers = asking === null ? context.site.routers : [asking];
  const [session = null] = mayKnow ? await liveSessions(routers, devices) : [];
  return hotspotUserView(context, user, devices, mayKnow ? { session } : null);
}

/** Devices, payment and session are for the router, staff and the person's own devices; a number is no secret. */
async function mayKnowDevices(context: Context, devices: readonly { mac: Mac }[], asker: Asker): Promise<boolean> {
  if (asker.actor !== null || context.site.routerAt(asker.clientIp) !== null) return true;
  const own = await macBehind(context, asker.clientIp);
  return own !== null && devices.some(device => device.mac === own);
}

// -------------------------------------------------------------------------------------- router status

async function routerStatus({ clock }: Context, router: SiteRouter, adminName: string): Promise<RouterStatus> {
  const { settings, port } = router;
  const about = { settings, adminName, now: clock.now() };
  try {
    const [resources, sessions] = await Promise.all([port.resources(), port.sessions()]);
    return routerStatusView(about, { resources, sessions: sessions.length });
  } catch (error) {
    if (!(error instanceof LangoError)) throw error;
    return routerStatusView(about, { problem: error.message });
  }
}
