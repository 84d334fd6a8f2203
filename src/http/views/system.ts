/** How the appliance is set up and how it does. */
import type { Health } from '../../contract/health.ts';
import * as contract from '../../contract/settings.ts';
import { Job, SmsMessage, type Status } from '../../contract/system.ts';
import { cashierRulesOf } from '../../domain/cashiers.ts';
import { type DevicePolicy, devicePolicyOf } from '../../domain/device-policy.ts';
import { configuredLimits, limitsOf } from '../../domain/limits.ts';
import { apiPort } from '../../domain/ports.ts';
import { type Branding, DEFAULT_BRANDING } from '../../domain/settings.ts';
import type { SiteRouter } from '../../domain/site.ts';
import type { SmsMessage as Sms } from '../../domain/sms.ts';
import { builtInText, SMS_PLACEHOLDERS, smsExample } from '../../domain/sms-texts.ts';
import { humanDuration } from '../../domain/time.ts';
import type { Context, Vitals } from '../context.ts';
import { viewOf } from '../names.ts';
import { statusNumbers } from './numbers.ts';
import { routerStateView } from './router.ts';

/** `database` and `database_connected` say the same, for clients that know one of them. */
export function healthView({ health, version, clock }: Pick<Context, 'health' | 'version' | 'clock'>): Health {
  const { databaseConnected, problems, warnings } = health();
  return {
    status: problems.length === 0 ? 'healthy' : 'degraded',
    timestamp: clock.now(),
    version,
    service: 'lango',
    database: databaseConnected ? 'connected' : 'disconnected',
    database_connected: databaseConnected,
    problems,
    warnings,
  };
}

const plainBranding = viewOf(contract.Branding);

export const brandingView = (branding: Branding): contract.Branding => ({
  ...plainBranding(branding),
  // Branding that was kept by an older version has neither.
  network_name: branding.networkName ?? null,
  language: branding.language ?? null,
});

export const clockView = ({ clock }: Pick<Context, 'clock'>): contract.Clock => ({
  trusted: clock.trusted,
  wall_time: clock.wallTime(),
  believed_time: clock.now(),
});

/** Every text there is, by language and kind; `example` is what is sent now, with values as they may be. */
export function messageTextsView({ reads, policy }: Pick<Context, 'reads' | 'policy'>): contract.MessageText[] {
  const own = reads.settings.get('messages');
  return contract.SMS_LANGUAGES.flatMap(language =>
    contract.SMS_KINDS.map(kind => ({
      language,
      kind,
      placeholders: [...SMS_PLACEHOLDERS[kind]],
      built_in: builtInText(kind, language),
      own: own?.[language]?.[kind] ?? null,
      example: smsExample(kind, language, policy.currency, own),
    })),
  );
}

const limitValuesView = viewOf(contract.LimitValues);

/** What holds, and what would if staff had set nothing. */
export const limitsView = ({ reads, policy }: Pick<Context, 'reads' | 'policy'>): contract.Limits => ({
  ...limitValuesView(limitsOf({ settings: reads.settings, policy })),
  configured: limitValuesView(configuredLimits(policy)),
});

export const cashierRulesView = viewOf(contract.CashierRules);

export const devicePolicyView = ({ swap, newDevices }: DevicePolicy): contract.DevicePolicy => ({
  device_swap: swap,
  new_devices: newDevices,
});

/** Keys are reported only as configured or not. */
export function settingsView(context: Context): contract.Settings {
  const { reads, policy, site, provider, configured, baseUrl } = context;
  const { settings, port } = site.defaultRouter;
  const [lastWebhook] = reads.webhookLogs.list({ limit: 1, offset: 0 });
  return {
    router: {
      router_ip: settings?.host ?? '',
      username: settings?.username ?? '',
      hotspot_name: settings?.hotspot ?? '',
      api_port: settings?.port ?? apiPort(false),
      connection_status: connectionStatus(site.defaultRouter),
      problem: port.lastError,
    },
    payment_provider: {
      ...providerView(context),
      provider: provider.name,
      api_key_configured: configured.paymentKey,
      webhook_url: `${baseUrl}/api/payment-webhook/`,
      environment: configured.paymentEnvironment,
      last_webhook_at: lastWebhook?.processedAt ?? null,
    },
    sms_provider: {
      provider: configured.smsProvider,
      api_key_configured: configured.smsKey,
      sender_id: configured.smsSenderId ?? '',
    },
    system: {
      debug_mode: configured.debug,
      allowed_hosts: [...configured.hosts],
      time_zone: policy.timeZone,
      language_code: policy.language,
      currency: policy.currency,
      default_country: context.defaultCountry,
      default_max_devices: limitsOf({ settings: reads.settings, policy }).defaultMaxDevices,
    },
    branding: brandingView(reads.settings.get('branding') ?? DEFAULT_BRANDING),
    messages: messageTextsView(context),
    limits: limitsView(context),
    cashiers: cashierRulesView(cashierRulesOf(reads)),
    devices: devicePolicyView(devicePolicyOf(reads)),
    clock: clockView(context),
  };
}

/** A router that is not configured counts as disconnected. */
const connectionStatus = ({ port }: SiteRouter): 'connected' | 'disconnected' =>
  port.state === 'connected' ? 'connected' : 'disconnected';

/** @param seller whose sales are added up; undefined: everybody's */
export function statusView(context: Context, vitals: Vitals, seller: number | undefined): Status {
  const { databaseConnected, problems, warnings } = context.health();
  return {
    database_status: databaseConnected ? 'connected' : 'disconnected',
    router_status: connectionStatus(context.site.defaultRouter),
    routers: context.site.routers.map(routerStateView),
    uptime: humanDuration(Math.max(1, vitals.uptimeSeconds)),
    memory_usage: size(vitals.memoryBytes),
    disk_usage: vitals.disk === null ? 'unknown' : diskUsage(vitals.disk),
    ...statusNumbers(context, seller),
    online: context.site.onlineCount,
    problems,
    warnings,
    payment_provider: providerView(context),
  };
}

function diskUsage({ usedBytes, totalBytes }: NonNullable<Vitals['disk']>): string {
  const percent = totalBytes === 0 ? 0 : Math.round((usedBytes / totalBytes) * 100);
  return `${size(usedBytes)} of ${size(totalBytes)} (${percent}%)`;
}

function size(bytes: number): string {
  const megabytes = bytes / 1_048_576;
  return megabytes < 1_024 ? `${megabytes.toFixed(0)} MB` : `${(megabytes / 1_024).toFixed(1)} GB`;
}

export const providerView = ({
  provider,
  configured,
}: Pick<Context, 'provider' | 'configured'>): contract.Provider => ({
  name: provider.name,
  sandbox: configured.practicePayments,
});

export const jobView = viewOf(Job);

const plainSms = viewOf(SmsMessage);

export const smsView = (message: Sms): SmsMessage => ({ ...plainSms(message), phone_number: message.phone });
