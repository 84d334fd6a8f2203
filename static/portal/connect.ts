/** Asks the appliance whether a number has paid time, and has this phone let in if it does. */
import type { Verified } from '../../src/contract/verify.ts';
import { now } from '../shared/clock.ts';
import { mac, read } from './address.ts';
import { call, type Problem } from './api.ts';

export type ConnectResult =
  | { kind: 'online'; phone: string; until: string }
  | { kind: 'no-room'; phone: string; maxDevices: number; until: string; proof: string | undefined }
  | { kind: 'unproven'; phone: string; proofs: readonly string[] }
  | { kind: 'router-down'; phone: string; until: string }
  | { kind: 'payment-open'; order: string }
  | { kind: 'expired'; at: string }
  | { kind: 'blocked' }
  | { kind: 'unpaid' }
  | { kind: 'unanswered'; problem: Problem };

/** Which phone is asking; only what the address knows. */
export function thisPhone(): { mac_address?: string; ip_address?: string } {
  const address = mac();
  const ip = read('ip');
  return { ...(address === null ? {} : { mac_address: address }), ...(ip === null ? {} : { ip_address: ip }) };
}

/**
 * @param phone as the person wrote it
 * @param proof what shows that the number is theirs, where they have given it
 */
export async function connect(phone: string, proof?: string): Promise<ConnectResult> {
  const reply = await call<Verified>('verify/', { phone_number: phone, ...thisPhone(), proof });
  if (!reply.ok) return refused(phone, reply.problem);
  const { has_access, user, device_allowed, router_connected, pending_order_reference } = reply.body;
  const until = user.subscription_end;
  if (has_access && until !== null) {
    const access = { phone: user.phone_number, until };
    if (device_allowed === false) {
      if (reply.body.proof_required) return { kind: 'unproven', phone, proofs: reply.body.proofs || [] };
      return { kind: 'no-room', maxDevices: user.max_devices, proof, ...access };
    }
    return { kind: router_connected === false ? 'router-down' : 'online', ...access };
  }
  // Time that is paid for but does not count belongs to somebody whom the staff have blocked.
  if (until !== null && Date.parse(until) > now()) return { kind: 'blocked' };
  if (pending_order_reference) return { kind: 'payment-open', order: pending_order_reference };
  return until === null ? { kind: 'unpaid' } : { kind: 'expired', at: until };
}

/** What a refusal leads to: where it asks for proof, that is next. */
export function refused(phone: string, problem: Problem): ConnectResult {
  const { proofs } = problem;
  return proofs.length > 0 ? { kind: 'unproven', phone, proofs } : { kind: 'unanswered', problem };
}
