/** Asks the appliance how this phone or a number stands, and has the phone let in if there is paid time. */
import type { Captivity } from '../../src/contract/portal.ts';
import type { Verified } from '../../src/contract/verify.ts';
import { now } from '../shared/clock.ts';
import { mac, read, remember } from './address.ts';
import { call, type Problem } from './api.ts';

/** Paid, and the router shows no session: it is away, or does not know this phone, or let it in this moment. */
export interface NotYetOnline {
  kind: 'router-down' | 'one-step';
  /** Empty: only the router knows whose phone this is. */
  phone: string;
  until: string;
  proof?: string | undefined;
}

export type ConnectResult =
  | { kind: 'online'; phone: string; until: string }
  | NotYetOnline
  | { kind: 'no-room'; phone: string; maxDevices: number; until: string; proof: string | undefined }
  | { kind: 'unproven'; phone: string; proofs: readonly string[] }
  | { kind: 'payment-open'; order: string }
  | { kind: 'expired'; at: string }
  | { kind: 'blocked' }
  | { kind: 'unpaid' }
  | { kind: 'unanswered'; problem: Problem };

/** Which phone is asking; only what the address knows. */
export function thisPhone(): { mac_address: string | undefined; ip_address: string | undefined } {
  return { mac_address: mac() || undefined, ip_address: read('ip') || undefined };
}

/** What the router's knowledge of this phone tells without a number; null: nothing. */
export async function greet(): Promise<ConnectResult | null> {
  const reply = await call<Captivity>('captive-portal/');
  if (!reply.ok) return null;
  const { 'seconds-remaining': left, 'paid-until': until, 'order-reference': order } = reply.body;
  if (order) return { kind: 'payment-open', order };
  if (until) return { kind: 'one-step', phone: '', until };
  return left ? { kind: 'online', phone: '', until: new Date(now() + left * 1_000).toISOString() } : null;
}

/**
 * @param phone as the person wrote it
 * @param proof what shows that the number is theirs, where they have given it
 */
export async function connect(phone: string, proof?: string): Promise<ConnectResult> {
  const reply = await call<Verified>('verify/', { phone_number: phone, ...thisPhone(), proof });
  if (!reply.ok) return refused(phone, reply.problem);
  const { has_access, user, device_allowed, other_device, pending_order_reference } = reply.body;
  if (other_device && mac() !== null) {
    // The MAC in the address is of old, or of the phone that this page came from: the router knows the right one.
    remember({ mac: null, ip: null });
    return connect(phone, proof);
  }
  const until = user.subscription_end;
  if (has_access && until !== null) {
    const access = { phone: user.phone_number, until, proof };
    if (reply.body.online) return { kind: 'online', ...access };
    if (device_allowed === false) {
      if (reply.body.proof_required) return { kind: 'unproven', phone, proofs: reply.body.proofs || [] };
      return { kind: 'no-room', maxDevices: user.max_devices, ...access };
    }
    return { kind: reply.body.router_connected ? 'one-step' : 'router-down', ...access };
  }
  // Time that is paid for but does not count belongs to somebody whom the staff have blocked.
  if (until !== null && Date.parse(until) > now()) return { kind: 'blocked' };
  if (pending_order_reference) return { kind: 'payment-open', order: pending_order_reference };
  return until === null ? { kind: 'unpaid' } : { kind: 'expired', at: until };
}

/** The same once time is granted: whatever is not answered now must not look like lost money. */
export async function connectPaid(phone: string, proof: string, until: string): Promise<ConnectResult> {
  const result = await connect(phone, proof);
  return result.kind === 'unanswered' ? { kind: 'one-step', phone, until, proof } : result;
}

/** What a refusal leads to: where it asks for proof, that is next. */
export function refused(phone: string, problem: Problem): ConnectResult {
  const { proofs } = problem;
  return proofs.length > 0 ? { kind: 'unproven', phone, proofs } : { kind: 'unanswered', problem };
}
