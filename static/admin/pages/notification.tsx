import { dateTime, words } from '../lib/format.ts';
import type { WebhookLog } from '../lib/records.ts';

/** A notification as it came, word for word; folded, since it is long and seldom wanted. */
export function Notification({ log }: { log: WebhookLog }) {
  return (
    <details class="notification">
      <summary>
        <span>
          {dateTime(log.processed_at)} · {words(log.outcome)}
        </span>
        <span class="muted">
          {log.payment_status} {log.order_reference ?? log.payment_reference}
        </span>
      </summary>
      <pre tabIndex={0}>{JSON.stringify(log.webhook_data, null, 2)}</pre>
    </details>
  );
}
