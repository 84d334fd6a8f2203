/** What the portal shows of the business. */
import type { Portal } from '../../contract/portal.ts';
import { LANGUAGES } from '../../contract/settings.ts';
import { devicePolicyOf } from '../../domain/device-policy.ts';
import { sellsOnline } from '../../domain/orders.ts';
import { acceptedProofs } from '../../domain/proofs.ts';
import { DEFAULT_BRANDING } from '../../domain/settings.ts';
import type { Context } from '../context.ts';
import { brandingView, devicePolicyView } from './system.ts';

export function portalView({ reads, policy, configured }: Context): Portal {
  const branding = reads.settings.get('branding') ?? DEFAULT_BRANDING;
  return {
    ...brandingView(branding),
    language: branding.language ?? policy.language,
    languages: [...LANGUAGES],
    currency: policy.currency,
    time_zone: policy.timeZone,
    proofs: acceptedProofs(policy),
    ...devicePolicyView(devicePolicyOf(reads)),
    payments: sellsOnline(policy),
    sandbox: configured.practicePayments,
    router_down: reads.settings.get('outage') !== null,
  };
}
