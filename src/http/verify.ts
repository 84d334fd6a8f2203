/** May this phone be online: `/verify/` and `/user-status/`. See docs/rules.md: Access. */
import { readUserStatus, verify } from '../contract/verify.ts';
import { hasAccess } from '../domain/access.ts';
import { isDevice, mayName } from '../domain/asker.ts';
import type { SeenDevice } from '../domain/devices.ts';
import { LangoError } from '../domain/errors.ts';
import { type AuthAnswer, type AuthQuestion, type AuthRefusal, answerFromBooks } from '../domain/hotspot.ts';
import type { Mac } from '../domain/mac.ts';
import { CHECKED_FOR_SECONDS } from '../domain/payment-checks.ts';
import type { Payment } from '../domain/payments.ts';
import type { Phone } from '../domain/phone.ts';
import { addSeconds } from '../domain/time.ts';
import { askProvider } from './ask-provider.ts';
import type { Context } from './context.ts';
import { askerOf } from './own-device.ts';
import { requireProof, type ShownProof } from './proofs.ts';
import { networkOf } from './rate-limits.ts';
import type { Api, Input } from './route.ts';
import { userStatusView, type VerifiedDevice, verifiedView } from './views/verify.ts';

export function verifyRoutes(api: Api, context: Context): void {
  const { reads, clock, limits } = context;
  api.handle(
    verify,
    async ({ body, clientIp }) => {
      const number = body.phone_number;
      const open = await askAboutOpenOrder(context, number, clientIp);
      const device = await placeOnVerify(context, body, clientIp);
      const isOrdered =
        open !== null &&
        open.mac !== null &&
        open.mac === body.mac_address &&
        isDevice(await askerOf(context, clientIp), open.mac);
      return verifiedView(context, number, device, isOrdered ? open.orderReference : null);
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

type Asked = Input<typeof verify>['body'];

/** With access and a MAC, the device is registered if there is room, and put online. */
async function placeOnVerify(context: Context, asked: Asked, clientIp: string): Promise<VerifiedDevice> {
  const { phone_number: number, mac_address: device, ip_address: address = null, proof } = asked;
  if (device === undefined) return 'not_asked';
  const question = { phone: number, device: { mac: device, ip: address } };
  const known = answerFromBooks(context.reads, question, context.clock.now());
  const answer = known?.answer ?? (await registerAsker(context, question, { text: proof, clientIp }));
  if (!answer.allowed) return WHY_NOT[answer.reason];
  if (known === null) await context.applyAccess(answer.user.id);
  else if (!context.presence.isOnline(device))
    await putOnline(context, { mac: device, userId: answer.user.id }, clientIp);
  if (known !== null && known.seen !== null) context.recordSeen(known.seen, address);
  return 'allowed';
}

/** For the device itself, the router is asked at once; for others who name it, every few seconds at most. */
async function putOnline(
  context: Context,
  { mac: device, userId }: { mac: Mac; userId: number },
  clientIp: string,
): Promise<void> {
  if (isDevice(await askerOf(context, clientIp), device)) await context.applyAccess(userId);
  else await context.wake(device);
}

async function registerAsker(
  context: Context,
  question: AuthQuestion & { device: SeenDevice },
  proof: ShownProof,
): Promise<AuthAnswer> {
  const { clientIp } = proof;
  const user = context.reads.users.byPhone(question.phone);
  const asker = await askerOf(context, clientIp);
  if (!mayName(asker, question.device.mac)) return { allowed: false, reason: 'held', user: null };
  const device = { ...question.device, isItself: isDevice(asker, question.device.mac) };
  const isProven = user !== null && proof.text !== undefined;
  if (isProven) requireProof(context, user, proof);
  const answer = await context.commit('registerDevice', { ...question, device, isProven });
  if (answer.allowed) context.proofCodes.useUp(question.phone, clientIp);
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
