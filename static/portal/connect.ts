/** Asks the appliance whether a number has paid time, and has this phone let in if it does. */
import type { Verified } from '../../src/contract/verify.ts';
import { now } from '../shared/clock.ts';
import { mac, read } from './address.ts';
import { call, type Problem } from './api.ts';

export type Standing =
  | { is: 'online'; phone: string; until: string }
  | { is: 'no-room'; phone: string; maxDevices: number; until: string; proof: string | undefined }
  | { is: 'unproven'; phone: string; proofs: readonly string[] }
  | { is: 'router-down'; phone: string; until: string }
  | { is: 'payment-open'; order: string }
  | { is: 'expired'; at: string }
  | { is: 'blocked' }
  | { is: 'unpaid' }
  | { is: 'unanswered'; problem: Problem };

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
export async function connect(phone: string, proof?: string): Promise<Standing> {
  const reply = await call<Verified>('verify/', { phone_number: phone, ...thisPhone(), proof });
  if (!reply.ok) return refused(phone, reply.problem);
  const { has_access, user, device_allowed, router_connected, pending_order_reference } = reply.body;
  const until = user.subscription_end;
  if (has_access && until !== null) {
    const access = { phone: user.phone_number, until };
    if (device_allowed === false) {
      if (reply.body.proof_required) return { is: 'unproven', phone, proofs: reply.body.proofs || [] };
      return { is: 'no-room', maxDevices: user.max_devices, proof, ...access };
    }
    return { is: router_connected === false ? 'router-down' : 'online', ...access };
  }
  // Time that is paid for but does not count belongs to somebody whom the staff have blocked.
  if (until !== null && Date.parse(until) > now()) return { is: 'blocked' };
  if (pending_order_reference) return { is: 'payment-open', order: pending_order_reference };
  return until === null ? { is: 'unpaid' } : { is: 'expired', at: until };
}

/** What a refusal leads to: where it asks for proof, that is next. */
export function refused(phone: string, problem: Problem): Standing {
  const { proofs } = problem;
  return proofs.length > 0 ? { is: 'unproven', phone, proofs } : { is: 'unanswered', problem };
}
