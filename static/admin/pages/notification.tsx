import { useState } from 'preact/hooks';
import type { WebhookLog } from '../../../src/contract/webhook-logs.ts';
import { useApi } from '../lib/data.ts';
import { dateTime, words } from '../lib/format.ts';

/** A notification as it came, word for word; folded, since it is long and seldom wanted. A list has long ones cut. */
export function Notification({ log }: { log: WebhookLog }) {
  const [isOpen, setOpen] = useState(false);
  const isCut = log.webhook_data['truncated'] === true;
  const { data: whole } = useApi<WebhookLog>(isOpen && isCut ? `/webhook-logs/${log.id}/` : null);
  return (
    <details class="notification" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span>
          {dateTime(log.processed_at)} · {words(log.outcome)}
        </span>
        <span class="muted">
          {log.payment_status} {log.order_reference ?? log.payment_reference}
        </span>
      </summary>
      <pre tabIndex={0}>{JSON.stringify((whole ?? log).webhook_data, null, 2)}</pre>
    </details>
  );
}
