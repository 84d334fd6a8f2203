/** Chooses the payment driver that the configuration names; the rest of the program never learns which. */
import { LangoError } from '../domain/errors.ts';
import type { PaymentProvider } from '../domain/ports.ts';
import type { DriverTools } from './http.ts';
import { createSandboxProvider } from './sandbox.ts';

export const PAYMENT_PROVIDERS = ['sandbox'] as const;
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/** The `LANGO_PAYMENT_*` variables. For the sandbox, `apiUrl`, `apiKey` and `webhookSecret` are its service's. */
export interface PaymentConfig {
  provider: PaymentProviderName;
  environment: 'sandbox' | 'live';
  /** null: the provider's own. */
  apiUrl: string | null;
  apiKey: string | null;
  clientId: string | null;
  webhookSecret: string | null;
  /** Domain of the address that stands in for a payer's e-mail where the provider insists on one. */
  emailDomain: string | null;
}

/** What is wrong with the configuration: one sentence a problem, each naming its variable; empty when nothing is. */
export function paymentConfigProblems(config: PaymentConfig): string[] {
  if (config.environment === 'live') {
    return [
      'LANGO_PAYMENT_PROVIDER is sandbox, which moves no money: with LANGO_PAYMENT_ENVIRONMENT=live choose a real provider.',
    ];
  }
  return [];
}

/** @throws LangoError VALIDATION when {@link paymentConfigProblems} finds any */
export function createPaymentProvider(config: PaymentConfig, tools: DriverTools): PaymentProvider {
  const problems = paymentConfigProblems(config);
  if (problems.length > 0) throw new LangoError('VALIDATION', problems.join('\n'));
  const { apiUrl, apiKey, webhookSecret } = config;
  return createSandboxProvider(
    { apiUrl: apiUrl ?? '', apiKey: apiKey ?? '', webhookSecret: webhookSecret ?? '' },
    tools,
  );
}
