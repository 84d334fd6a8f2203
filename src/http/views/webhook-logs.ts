/** The provider's notifications. See docs/interface.md: Notification. */
import type * as contract from '../../contract/webhook-logs.ts';
import { amountNumber } from '../../domain/money.ts';
import type { WebhookLog } from '../../domain/webhook-logs.ts';

export const webhookLogView = (log: WebhookLog): contract.WebhookLog => ({
  id: log.id,
  payment_reference: log.paymentReference ?? '',
  payment_status: log.paymentStatus,
  amount: log.amount === null ? 0 : amountNumber(log.amount),
  phone_number: log.phone ?? '',
  webhook_data: log.data,
  processed_at: log.processedAt,
  order_reference: log.orderReference,
  outcome: log.outcome,
});
