/** What the file of a payment provider exports: everything that the rest of Lango knows about it. */
import * as v from 'valibot';
import { invalid } from '../domain/errors.ts';
import type { PaymentCapabilities, PaymentProvider, WebhookEvent, WebhookRequest } from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import { type Json, parseJsonBytes } from '../outbound/json.ts';
import type { SettingsSchema } from '../outbound/settings.ts';
import { createProviderClient, type DriverTools, type ProviderCall } from './client.ts';

/** The `LANGO_PAYMENT_*` variables. */
export interface PaymentValues {
  environment: 'sandbox' | 'live';
  /** null: the provider's own. */
  apiUrl: string | null;
  apiKey: string | null;
  clientId: string | null;
  webhookSecret: string | null;
  /** Domain of the address that stands in for a payer's e-mail where the provider insists on one. */
  emailDomain: string | null;
  /** `LANGO_CURRENCY`. */
  currency: string;
}

interface PaymentFacts<Name extends string> {
  name: Name;
  /** As the provider writes it. */
  title: string;
  /** Where its API is; absent: `LANGO_PAYMENT_API_URL`, or Lango's own sandbox. */
  api?: string;
  /** Absent: the same, where keys tell the environments apart. null: it has none. */
  sandboxApi?: string | null;
  /** The pattern of the keys of each environment, where they differ. */
  keys?: Readonly<Record<PaymentValues['environment'], RegExp>>;
  /** Takes no order without an address for notifications that it can reach. */
  needsPublicAddress?: true;
  /** A part of Lango, for practice: never moves money, and makes its own keys where none are given. */
  isBuiltIn?: true;
  capabilities: PaymentCapabilities;
}

type Call<Name extends 'createCheckout' | 'verify' | 'refund' | 'refundStatus'> = (
  request: Parameters<PaymentProvider[Name]>[0],
  call: ProviderCall,
) => ReturnType<PaymentProvider[Name]>;

/** What a driver does: the calls of the port in the provider's words. All requests of one share its deadline. */
export interface PaymentCalls {
  createCheckout: Call<'createCheckout'>;
  verify: Call<'verify'>;
  /** @returns null when the body is no payment notification */
  parseWebhook(body: Json | undefined, request: WebhookRequest): WebhookEvent | null;
  refund: Call<'refund'>;
  refundStatus: Call<'refundStatus'>;
}

interface PaymentDescription<Name extends string, Schema extends SettingsSchema> extends PaymentFacts<Name> {
  /** Of {@link PaymentValues}, those that it works with. */
  settings: Schema;
  /** Of every request. */
  headers?(settings: v.InferOutput<Schema>): Record<string, string>;
  calls(settings: v.InferOutput<Schema>, clock: Clock): PaymentCalls;
}

interface PaymentDriver<Name extends string, Own extends object> extends PaymentFacts<Name> {
  settings: SettingsSchema;
  create(own: Own & { apiUrl: string }, tools: DriverTools): PaymentProvider;
  /** @param values without problems */
  configure(values: PaymentValues, tools: DriverTools): PaymentProvider;
}

export function paymentDriver<const Name extends string, Schema extends SettingsSchema>(
  description: PaymentDescription<Name, Schema>,
): PaymentDriver<Name, v.InferOutput<Schema>> {
  const { settings, headers, calls, ...facts } = description;
  const { name, capabilities } = facts;
  const create = (own: v.InferOutput<Schema> & { apiUrl: string }, tools: DriverTools): PaymentProvider => {
    const open = createProviderClient({ provider: name, baseUrl: own.apiUrl, headers: headers?.(own) ?? {} }, tools);
    const { createCheckout, verify, parseWebhook, refund, refundStatus } = calls(own, tools.clock);
    return {
      name,
      capabilities,
      createCheckout: request => createCheckout(request, open('create')),
      verify: order => verify(order, open('verify')),
      parseWebhook: request =>
        parseWebhook(parseJsonBytes(request.rawBody), request) ??
        invalid('body', 'This is not a payment notification.'),
      refund: request => refund(request, open('refund')),
      refundStatus: request => refundStatus(request, open('refund status')),
    };
  };
  return {
    ...facts,
    settings,
    create,
    configure: (values, tools) =>
      create({ ...v.parse(settings, values), apiUrl: values.apiUrl ?? apiOf(facts, values.environment) ?? '' }, tools),
  };
}

/** The provider's own address; null: it has none. */
export function apiOf(facts: PaymentFacts<string>, environment: PaymentValues['environment']): string | null {
  const { api = null, sandboxApi = api } = facts;
  return environment === 'live' ? api : sandboxApi;
}
