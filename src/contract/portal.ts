/** What the portal shows of the business, and what phones ask of it by themselves. */
import * as v from 'valibot';

import type { BundleForSale } from './bundles.ts';
import { endpoint, type ReplyOf } from './endpoint.ts';
import { ProofKind } from './failures.ts';
import { Branding, DevicePolicy } from './settings.ts';
import * as value from './values.ts';

export const Portal = v.object({
  ...Branding.entries,
  language: value.string,
  languages: v.array(value.string),
  currency: value.string,
  time_zone: value.string,
  /** What would do here as a proof. */
  proofs: v.array(ProofKind),
  ...DevicePolicy.entries,
  /** False: nothing can be paid here, vouchers are all there is. */
  payments: value.boolean,
  /** Nothing that is paid here is real. */
  sandbox: value.boolean,
  /** Nobody can get online: what is bought begins when the router is back. */
  router_down: value.boolean,
});
export type Portal = v.InferOutput<typeof Portal>;

/** What stands in the portal's document, so that a phone need not ask for it. */
export interface PortalFacts {
  portal: Portal;
  bundles: BundleForSale[];
}

export const readPortal = endpoint({
  method: 'GET',
  path: '/portal/',
  summary: 'What the portal shows of the business',
  auth: 'none',
  reply: v.object({ ...Portal.entries, base_url: value.string }),
});

export const readCaptivity = endpoint({
  method: 'GET',
  path: '/captive-portal/',
  summary: 'The captive-portal document of RFC 8908, for the device that asks',
  auth: 'none',
  type: 'captive',
  reply: v.object({
    captive: value.boolean,
    'user-portal-url': value.string,
    'can-extend-session': value.boolean,
    'seconds-remaining': value.optional(value.integer),
    /** Captive in spite of paid time: the router shows no session yet. */
    'paid-until': value.optional(value.instant),
    /** Without paid time: the open order that this device made. */
    'order-reference': value.optional(value.string),
  }),
});
export type Captivity = ReplyOf<typeof readCaptivity>;
