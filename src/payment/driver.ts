/** What the file of a payment provider exports: everything that the rest of Lango knows about it. */
import * as v from 'valibot';
import type { PaymentCapabilities, PaymentProvider } from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import type { SettingsSchema } from '../outbound/settings.ts';
import { createProviderClient, type DriverTools, type ProviderClient } from './client.ts';

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
  /** Where its API is; absent: `LANGO_PAYMENT_API_URL` or Lango itself tells. */
  api?: string;
  /** Absent: the same, where keys tell the environments apart. null: it has none. */
  sandboxApi?: string | null;
  /** What keys of each environment look like, where the provider tells them apart. */
  keys?: Readonly<Record<PaymentValues['environment'], RegExp>>;
  /** Takes no order without an address for notifications that it can reach. */
  needsPublicAddress?: true;
  /** A part of Lango, for practice: never moves money, and makes its own keys where none are given. */
  isBuiltIn?: true;
  capabilities: PaymentCapabilities;
}

/** What a driver does; its name and capabilities stand in its description. */
export type PaymentCalls = Omit<PaymentProvider, 'name' | 'capabilities'>;

interface PaymentDescription<Name extends string, Schema extends SettingsSchema> extends PaymentFacts<Name> {
  /** Of {@link PaymentValues}, those that it works with. */
  settings: Schema;
  calls(settings: v.InferOutput<Schema>, client: ProviderClient, clock: Clock): PaymentCalls;
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
  const { settings, calls, ...facts } = description;
  const { name, capabilities } = facts;
  const create = (own: v.InferOutput<Schema> & { apiUrl: string }, tools: DriverTools): PaymentProvider => ({
    name,
    capabilities,
    ...calls(own, createProviderClient(name, own.apiUrl, tools), tools.clock),
  });
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
