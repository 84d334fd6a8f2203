/**
 * The appliance as a phone sees it, small and obedient: the portal's documents with their policy, the public
 * endpoints of the interface, and a payment provider's page on another origin. A test describes a situation and
 * changes it while the page is open.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { buildPortalDocuments } from '../../../build/portal.ts';
import type { BundleForSale } from '../../../src/contract/bundles.ts';
import type { PaymentStatus } from '../../../src/contract/payments.ts';
import type { Portal } from '../../../src/contract/portal.ts';
import { fillDocument, type PortalDocument } from '../../../src/http/portal-document.ts';
import { policyWithInline, portalLanguage } from '../../../src/http/portal-page.ts';
import { PAGE_POLICY } from '../../../src/http/security-headers.ts';

const HOUR_MS = 3_600_000;

export interface Person {
  /** End of paid time in milliseconds since 1970; null: never paid. */
  until: number | null;
  blocked: boolean;
  devices: { mac: string; name: string; lastSeen: number }[];
}

export interface Order {
  status: PaymentStatus['payment_status'];
  phone: string;
  mac: string | null;
  bundle: BundleForSale;
  returnQuery: string;
}

export interface Situation {
  portal: Portal;
  bundles: BundleForSale[];
  people: Map<string, Person>;
  orders: Map<string, Order>;
  vouchers: Map<string, 'fresh' | 'used' | 'expired' | 'revoked'>;
  provider: 'up' | 'down' | 'refuses';
  router: 'up' | 'down';
  /** Paths, from `/api/` on, that answer 429 (with so many seconds), 500, or not at all. */
  faults: Map<string, { status: 429; seconds: number } | { status: 500 } | 'silence'>;
  maxDevices: number;
  /** Free bundles were taken not long ago. */
  freeTaken: boolean;
  /** What the owner asks for before a device makes way, or a new one is let in; null: the number alone will do. */
  proof: { asked: 'to swap' | 'to join'; offered: readonly string[]; fits: readonly string[] } | null;
  sms: 'up' | 'down';
  /** What the router's host table shows at the phone's address; null: nothing. */
  atAddress: string | null;
  /** Does the router let a phone in that may be online? */
  letsIn: boolean;
}

export interface Appliance {
  origin: string;
  /** The payment provider's, which no phone may ask for anything before a person pays. */
  checkoutOrigin: string;
  situation: Situation;
  /** Bodies of the calls that were made, in order, by path. */
  calls: { path: string; body: Record<string, unknown> }[];
}

/** The phone that looks at the portal. */
export const PHONE = 'A4:11:22:33:44:55';

export const BUNDLES: readonly BundleForSale[] = [
  { id: 1, name: 'Quick look', price: 500, duration_hours: 1, description: '', is_active: true },
  { id: 2, name: 'Day', price: 1_000, duration_hours: 24, description: 'The most popular', is_active: true },
  { id: 3, name: 'Week', price: 5_000, duration_hours: 168, description: '', is_active: true },
  { id: 4, name: 'Month', price: 18_000, duration_hours: 720, description: 'One phone', is_active: true },
];

export const PORTAL: Portal = {
  business_name: 'Mama Asha Wi-Fi',
  logo_url: null,
  primary_color: '#0b6e4f',
  support_phone: '+255 712 000 111',
  network_name: null,
  terms_url: '/terms',
  language: 'en',
  languages: ['en', 'sw', 'fr', 'pt', 'es', 'ar', 'hi'],
  currency: 'TZS',
  time_zone: 'Africa/Dar_es_Salaam',
  payments: true,
  sandbox: false,
  router_down: false,
  proofs: ['order_reference', 'voucher_code', 'sms_code'],
  device_swap: 'with_proof',
  new_devices: 'by_number',
};

export function hoursFromNow(hours: number): number {
  return Date.now() + hours * HOUR_MS;
}

export function person(changes: Partial<Person> = {}): Person {
  return { until: null, blocked: false, devices: [], ...changes };
}

let documents: Promise<Map<string, PortalDocument>> | undefined;
async function portalDocuments(): Promise<Map<string, PortalDocument>> {
  documents ??= buildPortalDocuments().then(
    all => new Map(all.map(({ code, html, words }) => [code, { html, words: JSON.parse(words) }])),
  );
  return documents;
}

/** Starts an appliance that stops with the test. */
export async function startAppliance(t: TestContext, changes: Partial<Situation> = {}): Promise<Appliance> {
  const situation: Situation = {
    portal: PORTAL,
    bundles: [...BUNDLES],
    people: new Map(),
    orders: new Map(),
    vouchers: new Map(),
    provider: 'up',
    router: 'up',
    faults: new Map(),
    maxDevices: 1,
    freeTaken: false,
    proof: null,
    sms: 'up',
    atAddress: PHONE,
    letsIn: true,
    ...changes,
  };
  const pages = await portalDocuments();
  const calls: Appliance['calls'] = [];
  const appliance: Appliance = { origin: '', checkoutOrigin: '', situation, calls };
  appliance.origin = await listen(t, (request, response) => answer(appliance, pages, request, response));
  appliance.checkoutOrigin = await listen(t, (request, response) => checkout(appliance, request, response));
  return appliance;
}

async function listen(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(
  appliance: Appliance,
  pages: Map<string, PortalDocument>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', appliance.origin);
  if (url.pathname === '/') return sendPage(appliance, pages, request, response);
  if (url.pathname === '/logo.svg') {
    response.writeHead(200, { 'Content-Type': 'image/svg+xml' });
    response.end(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#fff"/></svg>',
    );
    return;
  }
  const path = url.pathname.replace(/^\/api\//, '');
  const body = await readJson(request);
  appliance.calls.push({ path, body });
  const { faults } = appliance.situation;
  const fault = faults.get(path) ?? faults.get(path.replace(/\/.*$/, '/'));
  if (fault === 'silence') return void request.socket.destroy();
  if (fault !== undefined) {
    const retry = fault.status === 429 ? { 'Retry-After': String(fault.seconds) } : {};
    response.writeHead(fault.status, { 'Content-Type': 'application/json', ...retry });
    response.end(JSON.stringify({ error: 'No', message: 'No' }));
    return;
  }
  const [status, reply] = decide(appliance, path, body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(reply));
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
}

/** The document as the appliance would send it. */
async function sendPage(
  { situation }: Appliance,
  pages: Map<string, PortalDocument>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const document = pages.get(portalLanguage(request, new Set(pages.keys()), 'en')) as PortalDocument;
  const html = fillDocument(document, situation);
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': 'br',
    'Content-Security-Policy': policyWithInline(PAGE_POLICY, html),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(await promisify(brotliCompress)(html));
}

type Answer = [status: number, body: unknown];

function decide(appliance: Appliance, path: string, body: Record<string, unknown>): Answer {
  const { situation } = appliance;
  const [, reference] = /^payment-status\/([^/]+)\/$/.exec(path) ?? [];
  if (reference !== undefined) return paymentStatus(appliance, reference);
  const [, listed] = /^devices\/(\+?\d[^/]*|%2B[^/]*)\/$/.exec(path) ?? [];
  if (listed !== undefined) return devices(situation, canonical(decodeURIComponent(listed)));
  switch (path) {
    case 'captive-portal/':
      return captivity(appliance);
    case 'verify/':
      return verify(situation, body);
    case 'initiate-payment/':
      return initiate(appliance, body);
    case 'free-access/':
      return takeFree(situation, body);
    case 'vouchers/redeem/':
      return redeem(situation, body);
    case 'devices/remove/':
      return removeDevice(situation, body);
    case 'devices/proof/':
      return situation.sms === 'up'
        ? [200, { success: true, message: '' }]
        : [503, { success: false, error: 'Off', message: 'Off.', code: 'SMS_UNAVAILABLE' }];
    default:
      return [404, { error: 'Not found', message: 'No such page.' }];
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Enough of the numbering plan for a test: Tanzania's. */
function canonical(phone: unknown): string | null {
  const digits = textOf(phone)
    .normalize('NFKC')
    .replace(/[\u0660-\u0669]/g, digit => String(digit.charCodeAt(0) - 0x660))
    .replace(/\D/g, '')
    .replace(/^(00255|255|0)/, '');
  return /^[67]\d{8}$/.test(digits) ? `+255${digits}` : null;
}

const BAD_PHONE: Answer = [400, { error: 'Invalid', details: { phone_number: ['Not a mobile number.'] } }];
const BLOCKED: Answer = [403, { success: false, error: 'Blocked', message: 'Blocked.', code: 'USER_BLOCKED' }];

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** @returns the refusal of what was given as proof, or of its absence; null: it will do */
function refusedProof({ proof }: Situation, body: Record<string, unknown>): Record<string, unknown> | null {
  if (proof === null || proof.fits.includes(textOf(body.proof))) return null;
  return { success: false, error: 'No', message: 'No.', code: 'PROOF_REQUIRED', proofs: proof.offered };
}

/** @returns whether the device is the person's after this, with room or without */
function register(situation: Situation, someone: Person, mac: string | null): boolean {
  if (mac === null) return true;
  if (someone.devices.some(device => device.mac === mac)) return true;
  if (someone.devices.length >= situation.maxDevices) return false;
  someone.devices.push({ mac, name: '', lastSeen: Date.now() });
  return true;
}

/** Whose MAC the request names, or the router shows. */
function macOf(situation: Situation, { mac_address: named }: Record<string, unknown>): string | null {
  if (typeof named === 'string') return named;
  return situation.router === 'up' ? situation.atAddress : null;
}

function holderOf({ people }: Situation, mac: string | null): Person | undefined {
  return [...people.values()].find(someone => someone.devices.some(device => device.mac === mac));
}

const secondsLeft = ({ until }: Person): number => Math.floor(((until ?? 0) - Date.now()) / 1_000);

/** Whether the router shows a session of that device. */
export function isOnline(situation: Situation, mac: string | null): boolean {
  const holder = holderOf(situation, mac);
  const isEntitled = holder !== undefined && !holder.blocked && secondsLeft(holder) > 0;
  return isEntitled && situation.router === 'up' && situation.letsIn;
}

function captivity({ situation, origin }: Appliance): Answer {
  const mac = macOf(situation, {});
  const holder = holderOf(situation, mac);
  const captive = !isOnline(situation, mac);
  const shared = { captive, 'user-portal-url': `${origin}/`, 'can-extend-session': true };
  if (mac === null) return [200, shared];
  if (holder !== undefined && secondsLeft(holder) > 0) {
    return [
      200,
      { ...shared, ...(captive ? { 'paid-until': iso(holder.until) } : { 'seconds-remaining': secondsLeft(holder) }) },
    ];
  }
  const open = [...situation.orders].find(([, order]) => order.mac === mac && order.status === 'PENDING');
  return [200, open === undefined ? shared : { ...shared, 'order-reference': open[0] }];
}

function verify(situation: Situation, body: Record<string, unknown>): Answer {
  const phone = canonical(body.phone_number);
  if (phone === null) return BAD_PHONE;
  const someone = situation.people.get(phone) ?? person();
  const hasAccess = !someone.blocked && someone.until !== null && someone.until > Date.now();
  const mac = macOf(situation, body);
  const isOther = mac !== null && situation.atAddress !== null && mac !== situation.atAddress;
  const isKnown = someone.devices.some(device => device.mac === mac);
  const refused = situation.proof?.asked === 'to join' && !isKnown ? refusedProof(situation, body) : null;
  const allowed = hasAccess && !isOther && refused === null && register(situation, someone, mac);
  const open = [...situation.orders].find(([, order]) => order.phone === phone && order.status === 'PENDING');
  const user = {
    phone_number: phone,
    subscription_end: iso(someone.until),
    devices_count: someone.devices.length,
    max_devices: situation.maxDevices,
  };
  return [
    200,
    {
      has_access: hasAccess,
      user,
      message: '',
      ...(hasAccess && (allowed || mac === null)
        ? { router_connected: situation.router === 'up', online: isOnline(situation, mac) }
        : {}),
      ...(hasAccess && mac !== null ? { device_allowed: allowed } : {}),
      ...(hasAccess && isOther ? { other_device: true } : {}),
      ...(hasAccess && refused !== null ? { proof_required: true, proofs: refused.proofs } : {}),
      ...(open === undefined ? {} : { pending_order_reference: open[0] }),
    },
  ];
}

function initiate(appliance: Appliance, body: Record<string, unknown>): Answer {
  const { situation } = appliance;
  const phone = canonical(body.phone_number);
  if (phone === null) return BAD_PHONE;
  const bundle = situation.bundles.find(({ id }) => id === body.bundle_id);
  if (bundle === undefined) return [404, { error: 'Gone', message: 'Gone.', code: 'BUNDLE_UNAVAILABLE' }];
  if (situation.people.get(phone)?.blocked) return BLOCKED;
  if (situation.provider === 'refuses') return [402, { error: 'No', message: 'No.', code: 'PAYMENT_FAILED' }];
  if (situation.provider === 'down') {
    return [502, { error: 'Down', message: 'Down.', code: 'PAYMENT_PROVIDER_UNAVAILABLE' }];
  }
  const reference = `A${String(situation.orders.size + 1).padStart(19, '0')}`;
  const mac = macOf(situation, body);
  situation.orders.set(reference, {
    status: 'PENDING',
    phone,
    mac,
    bundle,
    returnQuery: textOf(body.return_query),
  });
  return [
    200,
    {
      success: true,
      payment_reference: `P-${reference}`,
      order_reference: reference,
      amount: bundle.price,
      phone_number: phone,
      redirect_url: `${appliance.checkoutOrigin}/checkout/${reference}`,
      message: '',
    },
  ];
}

function paymentStatus({ situation, checkoutOrigin }: Appliance, reference: string): Answer {
  const order = situation.orders.get(reference);
  if (order === undefined) return [404, { error: 'Not found', message: 'No such order.' }];
  const until = situation.people.get(order.phone)?.until ?? null;
  return [
    200,
    {
      payment_status: order.status,
      order_reference: reference,
      amount: order.bundle.price,
      phone_number: order.phone,
      payment_date: null,
      access_granted: order.status === 'COMPLETED',
      subscription_end: iso(until),
      bundle_id: order.bundle.id,
      ...(order.status === 'PENDING' ? { redirect_url: `${checkoutOrigin}/checkout/${reference}` } : {}),
    },
  ];
}

/** What the provider's notification does to an order. */
export function settle(situation: Situation, reference: string, status: Order['status']): void {
  const order = situation.orders.get(reference);
  if (order === undefined) throw new Error(`There is no order ${reference}.`);
  order.status = status;
  if (status === 'COMPLETED') grant(situation, order.phone, order.bundle.duration_hours, order.mac);
}

function grant(situation: Situation, phone: string, hours: number, mac: string | null): Person {
  const someone = situation.people.get(phone) ?? person();
  someone.until = Math.max(Date.now(), someone.until ?? 0) + hours * HOUR_MS;
  situation.people.set(phone, someone);
  register(situation, someone, mac);
  return someone;
}

function takeFree(situation: Situation, body: Record<string, unknown>): Answer {
  const phone = canonical(body.phone_number);
  if (phone === null) return BAD_PHONE;
  if (situation.freeTaken) return [409, { error: 'Taken', message: 'Taken.', code: 'FREE_TAKEN' }];
  const mac = typeof body.mac_address === 'string' ? body.mac_address : null;
  const { until } = grant(situation, phone, 1, mac);
  return [200, { success: true, message: '', access_granted: true, subscription_end: iso(until) }];
}

function redeem(situation: Situation, body: Record<string, unknown>): Answer {
  const phone = canonical(body.phone_number);
  if (phone === null) return BAD_PHONE;
  const code = textOf(body.voucher_code)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '');
  const refusals: Record<string, Answer> = {
    used: [409, { success: false, error: 'Used', message: 'Used.', code: 'VOUCHER_USED' }],
    expired: [410, { success: false, error: 'Old', message: 'Old.', code: 'VOUCHER_EXPIRED' }],
    revoked: [410, { success: false, error: 'Revoked', message: 'Revoked.', code: 'VOUCHER_REVOKED' }],
    unknown: [404, { success: false, error: 'Unknown', message: 'Unknown.', code: 'VOUCHER_INVALID' }],
  };
  if (situation.people.get(phone)?.blocked) return BLOCKED;
  const refusal = refusals[situation.vouchers.get(code) ?? 'unknown'];
  if (refusal !== undefined) return refusal;
  situation.vouchers.set(code, 'used');
  const mac = macOf(situation, body);
  const someone = grant(situation, phone, 24, mac);
  const bundle = { name: 'Day', duration_hours: 24 };
  return [
    200,
    {
      success: true,
      message: '',
      access_granted: true,
      subscription_end: iso(someone.until),
      bundle,
      online: isOnline(situation, mac),
    },
  ];
}

function devices(situation: Situation, phone: string | null): Answer {
  const list = phone === null ? [] : (situation.people.get(phone)?.devices ?? []);
  return [
    200,
    list.map((device, i) => ({
      id: i + 1,
      mac_address: device.mac,
      device_name: device.name,
      ip_address: '',
      first_connected: iso(device.lastSeen),
      last_seen: iso(device.lastSeen),
      is_active: true,
    })),
  ];
}

function removeDevice(situation: Situation, body: Record<string, unknown>): Answer {
  const someone = situation.people.get(canonical(body.phone_number) ?? '');
  const index = someone?.devices.findIndex(({ mac }) => mac === body.mac_address) ?? -1;
  if (someone === undefined || index < 0) return [404, { success: false, error: 'Unknown', message: 'Unknown.' }];
  const refused = refusedProof(situation, body);
  if (refused !== null) return [403, refused];
  someone.devices.splice(index, 1);
  return [200, { success: true, message: '', devices_remaining: someone.devices.length }];
}

/** The provider's page: three ways out, all of which lead back to the portal. */
function checkout(appliance: Appliance, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', appliance.checkoutOrigin);
  const [, reference = '', outcome] = /^\/checkout\/([A-Z0-9]+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
  const order = appliance.situation.orders.get(reference);
  if (order === undefined) {
    response.writeHead(404).end();
    return;
  }
  if (outcome === undefined) {
    const links = ['later', 'completed', 'failed', 'cancelled'].map(
      name => `<li><a href="/checkout/${reference}/${name}">${name}</a></li>`,
    );
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Checkout</title><link rel="icon" href="data:,"><ul>${links.join('')}</ul>`);
    return;
  }
  if (outcome !== 'later') settle(appliance.situation, reference, outcome.toUpperCase() as Order['status']);
  const query = order.returnQuery === '' ? '' : `&${order.returnQuery}`;
  response.writeHead(303, { Location: `${appliance.origin}/?order=${reference}${query}` }).end();
}
