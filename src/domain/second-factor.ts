/** The second factor of an admin's account: started, switched on and off, used up code by code. */
import { requireAdmin, type SecondFactor } from './admins.ts';
import { invalid, LangoError } from './errors.ts';
import { matchTotp, recoveryHash } from './totp.ts';
import type { StaffTx, Tx } from './transaction.ts';

/** @returns false when the code is wrong or was used already; a right one is used up */
export function useSecondFactor(tx: Tx, adminId: number, code: string): boolean {
  const factor = tx.admins.secondFactorOf(adminId);
  const lastStep = factor.secret === null ? null : matchTotp(factor.secret, code, tx.now, factor.lastStep);
  const used = recoveryHash(code);
  if (lastStep === null && !factor.recoveryHashes.includes(used)) return false;
  const recoveryHashes = factor.recoveryHashes.filter(hash => hash !== used);
  tx.admins.setSecondFactor(adminId, { ...factor, lastStep: lastStep ?? factor.lastStep, recoveryHashes });
  return true;
}

/** Nothing is asked for at the next login until `confirmTotp`. @throws LangoError CONFLICT it is on already */
export function startTotp(tx: Tx, { adminId, secret }: { adminId: number; secret: string }): void {
  if (requireAdmin(tx, adminId).hasTotp) {
    throw new LangoError('CONFLICT', 'The second factor is on already. Switch it off first to change it.');
  }
  tx.admins.setSecondFactor(adminId, { ...NO_SECOND_FACTOR, secret });
}

interface ConfirmTotp {
  adminId: number;
  code: string;
  recoveryHashes: readonly string[];
}

/**
 * Switches the second factor on, for somebody whose app shows the right code.
 * @throws LangoError CONFLICT not started, or on already
 * @throws LangoError VALIDATION the code is wrong
 */
export function confirmTotp(tx: StaffTx, input: ConfirmTotp): void {
  const { adminId, code, recoveryHashes } = input;
  const factor = tx.admins.secondFactorOf(adminId);
  if (factor.secret === null || factor.confirmedAt !== null) {
    throw new LangoError('CONFLICT', 'There is no second factor to confirm. Start it first.');
  }
  const step = matchTotp(factor.secret, code, tx.now, factor.lastStep);
  if (step === null) invalid('code', 'The code is wrong. Check the clock of the phone, and take its next code.');
  tx.admins.setSecondFactor(adminId, { secret: factor.secret, confirmedAt: tx.now, lastStep: step, recoveryHashes });
  tx.record('admin.totp_on', 'admin', adminId);
}

interface DisableTotp {
  adminId: number;
  /** null: an operator at the appliance itself, who needs none. */
  code: string | null;
}

/** @throws LangoError CONFLICT it is off; VALIDATION the code is wrong or was used */
export function disableTotp(tx: StaffTx, { adminId, code }: DisableTotp): void {
  if (!requireAdmin(tx, adminId).hasTotp) throw new LangoError('CONFLICT', 'The second factor is off.');
  if (code !== null && !useSecondFactor(tx, adminId, code)) {
    invalid('code', 'The code is wrong, or was used already.');
  }
  tx.admins.setSecondFactor(adminId, NO_SECOND_FACTOR);
  tx.record('admin.totp_off', 'admin', adminId);
}

export const NO_SECOND_FACTOR: SecondFactor = { secret: null, confirmedAt: null, lastStep: null, recoveryHashes: [] };
