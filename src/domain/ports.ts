/**
 * Ports to the outside: a hotspot router, a payment provider, an SMS provider, a log.
 * Adapters implement these; nothing else in the program knows who stands behind them.
 */
import type { Mac } from './mac.ts';
import type { Money } from './money.ts';
import type { Phone } from './phone.ts';
import type { Instant } from './time.ts';

// ---------------------------------------------------------------------------------------------- log

/** An event name plus fields. Never a password, token or voucher code; phones masked. */
export interface Log {
  debug(fields: object, event: string): void;
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
}

// --------------------------------------------------------------------------------------------- jobs

export interface JobState {
  name: string;
  periodSeconds: number;
  lastFinishedAt: Instant | null;
  /** What the last run failed with; null: it did not fail. */
  lastError: string | null;
  /** Not finished for three periods. */
  late: boolean;
}

// ------------------------------------------------------------------------------------------- router

/** The port of RouterOS's API, where nobody has moved it. */
export const apiPort = (ssl: boolean): number => (ssl ? 8_729 : 8_728);

export interface RouterSettings {
  host: string;
  port: number;
  username: string;
  password: string;
  ssl: boolean;
  /** SHA-256 of the router's certificate, hex without separators; null: any certificate is taken. */
  sslFingerprint: string | null;
  /** Hotspot server name to act on; null: all of them. */
  hotspot: string | null;
  /** Hotspot user profile given to people whose bundle names none. */
  profile: string;
}

/** A live session, `/ip/hotspot/active`. */
export interface RouterSession {
  id: string;
  user: string;
  address: string;
  mac: Mac | null;
  server: string;
  uptimeSeconds: number;
  /** null: the router sets no end. */
  timeLeftSeconds: number | null;
  idleSeconds: number;
  bytesIn: number;
  bytesOut: number;
  packetsIn: number;
  packetsOut: number;
}

/** A device the hotspot has seen on the Wi-Fi, `/ip/hotspot/host`. A phone may have several rows, and is behind one. */
export interface RouterHost {
  id: string;
  mac: Mac;
  /** What it goes on with; another one than its own where the hotspot translates. */
  address: string;
  /** As the device has it. */
  ownAddress: string;
  /** False: the address belongs to no network of the hotspot, so nothing that is sent there arrives. */
  isOnNetwork: boolean;
  server: string;
  uptimeSeconds: number;
  idleSeconds: number;
  authorized: boolean;
  bypassed: boolean;
}

/** A hotspot user, `/ip/hotspot/user`. */
export interface RouterUser {
  id: string;
  name: string;
  mac: Mac | null;
  profile: string;
  /** Time online so far, in seconds. */
  uptimeSeconds: number;
  /** The router itself ends the user's sessions when its uptime reaches this; null: never. */
  limitUptimeSeconds: number | null;
  comment: string;
  disabled: boolean;
  /** True when the row's comment carries our mark. Rows without it are never changed or removed. */
  ours: boolean;
}

export interface NewRouterUser {
  name: string;
  password: string;
  mac: Mac;
  profile: string;
  limitUptimeSeconds: number;
}

export interface RouterProfile {
  name: string;
  /** Upload/download as the router writes it (`2M/8M`); null when unlimited. */
  rateLimit: string | null;
  sharedUsers: string;
  sessionTimeout: string | null;
  idleTimeout: string;
}

export interface NewRouterProfile {
  name: string;
  rateLimit?: string | undefined;
  sessionTimeout?: string | undefined;
  idleTimeout?: string | undefined;
}

/** All texts as the router writes them; empty where the router does not know. */
export interface RouterResources {
  identity: string;
  uptime: string;
  version: string;
  boardName: string;
  platform: string;
  cpuLoad: string;
  freeMemory: string;
  totalMemory: string;
}

export type RouterState = 'connected' | 'disconnected' | 'not_configured';

/** Which rows a read wants: everything, or only those of some MAC addresses. */
export type RouterScope = 'all' | { macs: readonly Mac[] };

/**
 * What is asked of one hotspot, in the business's words. Every call settles within its deadline.
 * @throws LangoError ROUTER_UNAVAILABLE not configured, not reachable, or the answer was lost
 * @throws LangoError ROUTER_REFUSED the router said no, with its own words as the message
 */
export interface HotspotCalls {
  sessions(scope?: RouterScope): Promise<RouterSession[]>;
  hosts(scope?: RouterScope): Promise<RouterHost[]>;
  /** The MACs that the router knows behind IP addresses right now. */
  macsByAddress(): Promise<Map<string, Mac>>;
  users(scope?: RouterScope): Promise<RouterUser[]>;
  /** Adds a user of ours. `already have user` is a refusal. */
  addUser(user: NewRouterUser): Promise<void>;
  /** Changes one user of ours; a row without our mark is refused before anything is sent. */
  updateUser(user: RouterUser, change: Partial<NewRouterUser> & { disabled?: boolean }): Promise<void>;
  /** Removes one user of ours. A user that is gone already counts as removed. */
  removeUser(user: RouterUser): Promise<void>;
  /**
   * Puts a host online as that user: `/ip/hotspot/active/login`. By which of its addresses the router knows a host that
   * it translates was not seen on hardware: `ownAddress` is tried where it does not know `address`.
   */
  login(login: { user: string; password: string; mac: Mac; address: string; ownAddress?: string }): Promise<void>;
  /**
   * Ends sessions that match user name and MAC (both, where both are given). Ids are read again right before
   * each removal, because a stale id may belong to somebody else by then.
   * @returns how many sessions ended
   */
  endSessions(match: { user?: string; mac?: Mac }): Promise<number>;
  /** Ends every session of the hotspot. @returns how many */
  endAllSessions(): Promise<number>;
  /** Removes login cookies by MAC or user. @returns how many */
  removeCookies(match: { user?: string; mac?: Mac }): Promise<number>;

  profiles(): Promise<RouterProfile[]>;
  createProfile(profile: NewRouterProfile): Promise<void>;
  resources(): Promise<RouterResources>;
}

/** A router: its settings, its connection, and what can be asked of it while somebody waits (10 s at most). */
export interface HotspotPort extends HotspotCalls {
  /** The same, for what nobody waits for: each call may take 30 s. */
  readonly background: HotspotCalls;
  readonly state: RouterState;
  /** What went wrong last, for people; null while connected or not configured. */
  readonly lastError: string | null;
  /** The address it talks to, without secrets; null when not configured. */
  readonly settings: Omit<RouterSettings, 'password'> | null;
  /** Whether that is the router itself: an address of its configured host, or the one that its API answered from. */
  isAt(address: string): boolean;
  /** Takes effect at once: the old connection is closed, calls in flight on it reject. */
  configure(settings: RouterSettings | null): void;
  /** Called after each successful (re)connection. Returns the way to stop listening. */
  onConnected(listener: () => void): () => void;

  /** The connection dies without a reply; that is success. */
  reboot(): Promise<void>;
  /** Tries other settings without touching the live connection. */
  test(settings: RouterSettings): Promise<RouterResources>;
  close(): Promise<void>;
}

// ------------------------------------------------------------------------------------------ payment

export interface CheckoutRequest {
  /** 20 upper-case alphanumerics. */
  orderReference: string;
  amount: Money;
  phone: Phone;
  /** Plain ASCII, 60 characters at most. */
  description: string;
  returnUrl: string;
  webhookUrl: string;
  expiresAt: Instant;
}

export interface Checkout {
  redirectUrl: string;
  /** Absent where the provider only knows our reference. */
  paymentReference: string | null;
}

export type PaymentState = 'pending' | 'completed' | 'failed' | 'cancelled' | 'reversed' | 'unknown';

/** What the provider answered when it was asked. The only source of truth about a payment. */
export interface Verification {
  state: PaymentState;
  /** What was paid, or is to be paid; null when the provider did not say. */
  amount: Money | null;
  paymentReference: string | null;
  transactionId: string | null;
  channel: string | null;
  payerPhone: string | null;
}

/** A webhook event as the provider's driver parsed it; nothing of it is verified but its signature. */
export interface WebhookEvent {
  authenticity: 'signed' | 'shared-secret' | 'unsigned' | 'invalid';
  /** The provider's id of the event; null: the body's hash stands in. */
  eventKey: string | null;
  orderReference: string | null;
  paymentReference: string | null;
  claimedState: string;
  amount: Money | null;
  phone: string | null;
  /** A body that the provider wants back with the 200, if any. */
  reply: Record<string, unknown> | null;
}

export interface WebhookRequest {
  rawBody: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  now: Instant;
}

export interface RefundRequest {
  orderReference: string;
  transactionId: string | null;
  amount: Money;
  reason: string;
  idempotencyKey: string;
}

/** A refund that was answered `pending`, to be asked about. */
interface PendingRefund {
  orderReference: string;
  paymentReference: string | null;
  /** As the answer gave it. */
  reference: string | null;
}

export interface RefundAnswer {
  outcome: 'completed' | 'pending' | 'manual' | 'rejected';
  reference: string | null;
  /** Why it was rejected, or what staff must do by hand; of a pending one, what it waits for. */
  message: string | null;
}

export interface PaymentCapabilities {
  currencies: readonly string[] | 'any';
  refunds: 'none' | 'full' | 'partial';
  /** A refund whose answer was lost may be sent again with its `idempotencyKey` (for a day), and is paid once. */
  repeatableRefunds: boolean;
  /** Hosts a phone must reach before it is online. */
  walledGarden: readonly string[];
  /** Calls a minute that the settlement engine may spend on polling. */
  requestsPerMinute: number;
}

/**
 * One payment provider. Calls settle within 10 s.
 * @throws LangoError PAYMENT_FAILED the provider said no, with a message for the payer
 * @throws LangoError PAYMENT_PROVIDER_UNAVAILABLE not reachable, timed out, or an answer that makes no sense
 */
export interface PaymentProvider {
  readonly name: string;
  readonly capabilities: PaymentCapabilities;
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  verify(order: { orderReference: string; paymentReference: string | null }): Promise<Verification>;
  /** Pure: no network. @throws LangoError VALIDATION when the bytes are no notification at all */
  parseWebhook(request: WebhookRequest): WebhookEvent;
  refund(request: RefundRequest): Promise<RefundAnswer>;
  /** What has become of a refund; never makes one. */
  refundStatus(refund: PendingRefund): Promise<RefundAnswer>;
}

// ---------------------------------------------------------------------------------------------- SMS

export interface SmsAnswer {
  /**
   * `accepted`: it will arrive and costs money. `refused`: certainly not sent, never will be.
   * `retry`: certainly not sent, may work later. `uncertain`: a timeout; never sent twice.
   */
  outcome: 'accepted' | 'refused' | 'retry' | 'uncertain';
  reference: string | null;
  message: string | null;
}

export interface SmsProvider {
  readonly name: string;
  /** Never throws; every failure is an answer. Settles within 10 s. */
  send(message: { to: Phone; text: string }): Promise<SmsAnswer>;
}

// ------------------------------------------------------------------------------------------ secrets

/** Whose password is checked first: that of staff, or of an address that none of them has logged in from. */
export type PasswordPriority = 'staff' | 'anonymous';

/** Password hashing: slow on purpose, one at a time, staff before strangers, with a bounded queue for each. */
export interface Passwords {
  /** @throws LangoError RATE_LIMITED too many are waiting */
  hash(password: string, priority?: PasswordPriority): Promise<string>;
  /**
   * @param hash null: there is no such admin; takes the same time as a wrong password
   * @throws LangoError RATE_LIMITED too many are waiting
   */
  verify(hash: string | null, password: string, priority?: PasswordPriority): Promise<boolean>;
}
