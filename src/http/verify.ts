/** May this phone be online: `/verify/` and `/user-status/`. See docs/rules.md: Access. */
import { readUserStatus, verify } from '../contract/verify.ts';
import { hasAccess } from '../domain/access.ts';
import { LangoError } from '../domain/errors.ts';
import { type AuthAnswer, type AuthQuestion, type AuthRefusal, answerFromBooks } from '../domain/hotspot.ts';
import { CHECKED_FOR_SECONDS } from '../domain/payment-checks.ts';
import type { Payment } from '../domain/payments.ts';
import type { Phone } from '../domain/phone.ts';
import { addSeconds } from '../domain/time.ts';
import { askProvider } from './ask-provider.ts';
import type { Context } from './context.ts';
import { isShownOnline, type RequestedDevice, requestedDevice } from './own-device.ts';
import { requireProof, type ShownProof } from './proofs.ts';
import { networkOf } from './rate-limits.ts';
import type { Api } from './route.ts';
import { userStatusView, type VerifiedDevice, verifiedView } from './views/verify.ts';

export function verifyRoutes(api: Api, context: Context): void {
  const { reads, clock, limits } = context;
  api.handle(
    verify,
    async ({ body, clientIp }) => {
      const number = body.phone_number;
      const open = await askAboutOpenOrder(context, number, clientIp);
      const device = await requestedDevice(context, body, clientIp);
      const placed = await placeOnVerify(context, { phone: number, device }, { text: body.proof, clientIp });
      const isOrdered = open !== null && device !== null && device.isItself && open.mac === device.mac;
      const isOther = placed === 'other_device' || device?.isForeign === true;
      return verifiedView(context, number, { placed, isOther, openOrder: isOrdered ? open.orderReference : null });
    },
    { limit: limits.verify },
  );

  api.handle(
    readUserStatus,
    ({ params }) => {
      const standing = reads.standings.byPhone(params.phone_number);
      if (standing === null)
        throw new LangoError('NOT_FOUND', 'This number has no account yet. Buy a bundle or use a voucher.');
      return userStatusView(standing, clock.now());
    },
    { limit: limits.userStatus },
  );
}

/**
 * "I have paid": somebody without access may have an order that the provider has been paid for meanwhile.
 * @returns the order, should it still be open afterwards
 */
async function askAboutOpenOrder(context: Context, number: Phone, clientIp: string): Promise<Payment | null> {
  const { reads, clock } = context;
  const user = reads.users.byPhone(number);
  const now = clock.now();
  if (user === null || hasAccess(user, now)) return null;
  const order = reads.payments.lastUnsettledOfUser(user.id, addSeconds(now, -CHECKED_FOR_SECONDS), networkOf(clientIp));
  if (order === null) return null;
  const current = await askProvider(context, order, clientIp);
  return current.status === 'pending' ? current : null;
}

interface Asked extends AuthQuestion {
  device: RequestedDevice | null;
}

/** With access, the device is registered if there is room, and put online. */
async function placeOnVerify(context: Context, asked: Asked, proof: ShownProof): Promise<VerifiedDevice> {
  const { device } = asked;
  if (device === null) return 'not_asked';
  const known = answerFromBooks(context.reads, asked, context.clock.now());
  const answer = known?.answer ?? (await registerNew(context, { ...asked, device }, proof));
  if (!answer.allowed) return WHY_NOT[answer.reason];
  // For the device itself, the router is asked at once; for others who name it, every few seconds at most.
  const isOnline = () => isShownOnline(context, device.mac);
  if (known === null || (device.isItself && !isOnline())) await context.applyAccess(answer.user.id);
  else await context.wake(device.mac, 'though_online');
  if (known !== null && known.seen !== null) context.recordSeen(known.seen, device.ip);
  return isOnline() && !device.isForeign ? 'online' : 'allowed';
}

async function registerNew(
  context: Context,
  asked: AuthQuestion & { device: RequestedDevice },
  proof: ShownProof,
): Promise<AuthAnswer> {
  if (asked.device.isForeign) return { allowed: false, reason: 'held', user: null };
  const user = context.reads.users.byPhone(asked.phone);
  const isProven = user !== null && proof.text !== undefined;
  if (isProven) requireProof(context, user, proof);
  const answer = await context.commit('registerDevice', { ...asked, isProven });
  if (answer.allowed) context.proofCodes.useUp(asked.phone, proof.clientIp);
  return answer;
}

const WHY_NOT: Record<AuthRefusal, VerifiedDevice> = {
  unknown: 'not_asked',
  blocked: 'not_asked',
  expired: 'not_asked',
  device_limit: 'no_room',
  unproven: 'unproven',
  held: 'other_device',
  moved_often: 'moved_often',
};
