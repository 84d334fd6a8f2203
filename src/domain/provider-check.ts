/** Whether a payment provider answers and takes our keys, found out without moving anything. */
import type { PaymentProvider } from './ports.ts';

/** Nobody has this order: asking about it changes nothing, and shows whether the keys are accepted. */
const NOBODYS_ORDER = {
  orderReference: 'LANGODOCTOR000000000',
  paymentReference: '00000000-0000-4000-8000-000000000000',
};

/** @throws LangoError PAYMENT_PROVIDER_UNAVAILABLE it does not answer, or not to these keys */
export async function askAboutNobody(provider: PaymentProvider): Promise<void> {
  await provider.verify(NOBODYS_ORDER);
}
