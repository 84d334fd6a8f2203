/** The checks of other services: this appliance over HTTP, the router, the payment provider, the SMS provider. */
import { type Config, localUrl } from '../../config.ts';
import { LangoError, messageOf } from '../../domain/errors.ts';
import type { Log, RouterSettings } from '../../domain/ports.ts';
import { askAboutNobody } from '../../domain/provider-check.ts';
import { lacksOf, notesOf, routerNeeds } from '../../domain/provisioning.ts';
import type { Router } from '../../domain/routers.ts';
import { localClock, systemClock } from '../../domain/time.ts';
import type { Reads } from '../../domain/transaction.ts';
import { reachOf } from '../../outbound/reach.ts';
import { addressWarning, capabilitiesOf, createPaymentProvider, isBuiltIn, isPractice } from '../../payment/index.ts';
import { createHotspotPort } from '../../router/hotspot-port.ts';
import { createProvisioner } from '../../router/provisioning/provisioner.ts';
import { routerOption } from '../router-named.ts';
import { type Finding, watch, well, wrong } from './finding.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Whether the appliance runs beside us, and what it says of itself. */
export async function checkAppliance(config: Config): Promise<Finding[]> {
  const url = `${localUrl(config)}/api/health/`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const { service, version, problems } = (await response.json()) as Record<string, unknown>;
    if (service !== 'lango')
      return [wrong(`Another program answers at ${url}: give one of the two another LANGO_PORT.`)];
    const said = Array.isArray(problems)
      ? problems.map(problem => wrong(`The appliance says: ${String(problem)}`))
      : [];
    return [well(`The appliance runs, version ${String(version)}.`), ...said];
  } catch {
    return [watch(`The appliance does not answer at ${url}: it is not running, or still starting.`)];
  }
}

export async function checkRouter(config: Config, router: Router): Promise<Finding[]> {
  const { settings } = router;
  if (settings === null) {
    return [
      watch('No router is configured: vouchers and payments work, but nobody is put online. Set LANGO_ROUTER_HOST.'),
    ];
  }
  const port = createHotspotPort({ settings: null, log: silent });
  try {
    const { identity, boardName, version } = await port.test(settings);
    const reached = well(`The router at ${settings.host} lets us in: ${identity}, ${boardName}, RouterOS ${version}.`);
    return [reached, ...(await checkProvisioning(config, settings, routerOption(router)))];
  } catch (error) {
    return [wrong(`The router at ${settings.host}:${settings.port} cannot be used: ${messageOf(error)}`)];
  } finally {
    await port.close();
  }
}

/** Hotspot, profile, walled garden, login page: everything that `lango router check` looks at. */
async function checkProvisioning(config: Config, settings: RouterSettings, option: string): Promise<Finding[]> {
  const needs = routerNeeds(config.baseUrl, capabilitiesOf(config.payment).walledGarden, settings);
  const plan = await createProvisioner({ settings: () => settings, needs: () => needs }).plan();
  const lacks = lacksOf(plan).map(wrong);
  if (lacks.length === 0) lacks.push(well('Hotspot, profile, walled garden and login page are as Lango needs them.'));
  if (plan.steps.length > 0)
    lacks.push(
      wrong(`\`lango router plan${option}\` shows what Lango would change, \`lango router apply${option}\` does it.`),
    );
  return [...lacks, ...notesOf(plan, settings === config.router).map(watch)];
}

export async function checkProvider({ payment }: Config): Promise<Finding[]> {
  const { provider: name, apiUrl } = payment;
  if (name === 'none') {
    return [well('Vouchers and cash only. To sell online, set LANGO_PAYMENT_PROVIDER: see docs/payments/README.md.')];
  }
  if (isBuiltIn(payment) && apiUrl === null) {
    return [
      watch(
        `Payments are played by the built-in ${name}: no money moves, and access is free to all. Set LANGO_PAYMENT_PROVIDER to sell.`,
      ),
    ];
  }
  const events: { event: string; reason: string }[] = [];
  const note = (fields: object, event: string) =>
    void events.push({ event, reason: 'reason' in fields ? String(fields.reason) : '' });
  const provider = createPaymentProvider(payment, {
    log: { debug: note, info: note, warn: note, error: note },
    clock: systemClock,
  });
  try {
    await askAboutNobody(provider);
    const answers = well(`${name} answers and accepts the keys (${payment.environment}).`);
    if (!isPractice(payment)) return [answers];
    const practice = 'It is its test mode: no money moves, and access is free to all who know how. Real money needs';
    return [answers, watch(`${practice} LANGO_PAYMENT_ENVIRONMENT=live.`)];
  } catch (error) {
    if (events.some(({ event }) => event === 'payment.keys_refused')) {
      return [
        wrong(
          `${name} does not accept the keys: compare LANGO_PAYMENT_API_KEY and LANGO_PAYMENT_CLIENT_ID with its dashboard.`,
        ),
      ];
    }
    const reason = events.at(-1)?.reason || (error instanceof LangoError ? error.message : messageOf(error));
    return [wrong(`${name} cannot be asked: ${reason}. Can the box reach the Internet? Is the provider up?`)];
  }
}

/** Where notifications must be sent, whether they can get there, and when the last one came. */
export function checkNotifications({ baseUrl, payment, policy }: Config, reads: Reads | null): Finding[] {
  const [last] = reads?.webhookLogs.list({ limit: 1, offset: 0 }) ?? [];
  const arrived =
    last === undefined
      ? 'None has arrived yet.'
      : `The last one came on ${localClock(last.processedAt, policy.timeZone)} (${last.authenticity}, ${last.outcome.replace('_', ' ')}).`;
  if (payment.provider === 'none') return [well('No provider is set: none are expected.')];
  if (isBuiltIn(payment)) return [well(`The ${payment.provider} sends its notifications by itself. ${arrived}`)];

  const url = `${baseUrl}/api/payment-webhook/`;
  const reach = reachOf(baseUrl);
  const lack = addressWarning(payment, baseUrl);
  if (lack !== null) return [wrong(`${lack} ${arrived}`)];
  const help = 'See docs/payments/webhooks.md. Without notifications payments are found by asking, a little later.';
  if (reach === 'this machine') {
    return [
      wrong(`${payment.provider} cannot reach ${url}: set LANGO_BASE_URL to a public address. ${arrived} ${help}`),
    ];
  }
  const register = `Register ${url} with ${payment.provider}. ${arrived}`;
  if (reach === 'our network') {
    // A tunnel or a proxy may stand before it.
    if (last !== undefined) return [well(`Notifications arrive, although ${url} is of your own network. ${arrived}`)];
    return [watch(`${register} That address is of your own network, where no provider gets in. ${help}`)];
  }
  if (!baseUrl.startsWith('https:'))
    return [watch(`${register} It is not https, which most providers insist on. ${help}`)];
  return [last === undefined ? watch(register) : well(register)];
}

const LATEST = 50;

export function checkMessages({ sms }: Config, reads: Reads | null): Finding[] {
  if (sms.provider === 'none') return [well('Messages are off (LANGO_SMS_PROVIDER).')];
  const messages = reads?.sms.list({ limit: LATEST, offset: 0 }) ?? [];
  const configured = `Messages go through ${sms.provider}.`;
  const ended = messages.filter(({ status }) => status !== 'queued' && status !== 'sending');
  const [latest] = ended;
  if (latest === undefined) return [well(`${configured} None has been sent yet.`)];
  const sent = ended.filter(({ status }) => status === 'sent').length;
  const record = `${configured} Of the latest ${ended.length}, ${sent} were sent.`;
  return [
    latest.status === 'sent'
      ? well(record)
      : watch(`${record} The last one was not: ${latest.message ?? latest.status}`),
  ];
}
