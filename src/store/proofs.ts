import type { ProofReads } from '../domain/proofs.ts';
import type { Database } from './database.ts';

/** Nobody keeps older papers than of this many payments or vouchers. */
const MOST_ROWS = 500;

export function proofRepository(db: Database): ProofReads {
  const ofPayments = db
    .prepare<[object], string>(
      `SELECT value FROM (SELECT order_reference, payment_reference, transaction_id FROM payments
         WHERE user_id = @userId AND status = 'completed' ORDER BY id DESC LIMIT @limit) AS payment,
       json_each(json_array(payment.order_reference, payment.payment_reference, payment.transaction_id))
       WHERE value IS NOT NULL`,
    )
    .pluck();
  const ofVouchers = db
    .prepare<[object], string>('SELECT code FROM vouchers WHERE used_by = @userId ORDER BY id DESC LIMIT @limit')
    .pluck();
  return {
    ofUser(userId) {
      const query = { userId, limit: MOST_ROWS };
      return [...ofPayments.all(query), ...ofVouchers.all(query)];
    },
  };
}
