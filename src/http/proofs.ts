/** Proofs that a request brings along: checked, and held to a number of wrong ones. */
import { LangoError } from '../domain/errors.ts';
import { acceptedProofs, isAmong, isBeyondGuessing, type ProofKind } from '../domain/proofs.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';

export interface ShownProof {
  text: string | undefined;
  clientIp: string;
}

/** Whose number is given; an id of null: nobody's so far. */
type Asserted = Pick<User, 'phone'> & { id: number | null };

/**
 * Wrong ones are counted per address and per number. What nobody comes upon by guessing is not held up by others'
 * wrong guesses at the number: that would lock its owner out.
 * @throws LangoError PROOF_REQUIRED RATE_LIMITED
 */
export function requireProof(context: Context, user: Asserted, { text, clientIp }: ShownProof): void {
  const { reads, limits, policy, proofCodes } = context;
  const kinds = acceptedProofs(policy);
  if (text === undefined) throw proofRequired(kinds);
  const isCode = proofCodes.isRight(user.phone, clientIp, text);
  const isRight = isCode || isAmong(user.id === null ? [] : reads.proofs.ofUser(user.id), text);
  const isSure = isCode || (isRight && isBeyondGuessing(text));
  const giveBack = limits.proofs.take(clientIp, ...(isSure ? [] : [user.phone]));
  if (!isRight) throw proofRequired(kinds, 'This proves nothing for this number. ');
  giveBack();
}

const WORDS: Record<ProofKind, string> = {
  order_reference: 'the reference in the message about a payment of yours',
  voucher_code: 'a voucher code that you have used',
  sms_code: 'the code that we send to the number by SMS',
};

function proofRequired(kinds: readonly ProofKind[], whyNot = ''): LangoError {
  const words = kinds.map(kind => WORDS[kind]);
  const message = `${whyNot}Show that this number is yours: give ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`;
  return new LangoError('PROOF_REQUIRED', message, { facts: { proofs: kinds } });
}
