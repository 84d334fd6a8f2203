/**
 * The sandbox payment service: the third party of a payment, played over real HTTP. It has an API for the
 * appliance, a checkout page for the payer, and signed notifications. It moves no money and says so.
 *
 * API, `Authorization: Bearer <apiKey>`, JSON both ways, amounts as decimal text in major units:
 * - `POST /api/checkouts` {order_reference, amount, currency, phone_number, description, return_url, webhook_url}
 *   → 201 {payment_reference, redirect_url}; the same order again → 200 with the same answer; another amount → 409
 * - `GET /api/checkouts/{order_reference}` → 200 {order_reference, payment_reference, status, amount, currency,
 *   phone_number, transaction_id, payment_channel}, status PENDING, COMPLETED, FAILED or CANCELLED; 404
 * - `POST /api/refunds` {order_reference, amount, currency, reason}, `Idempotency-Key` → 201 {refund_id, status};
 *   the same key again → 200 with the same refund; 404; 409 not paid; 422 more than is left
 * - `GET /api/checkouts/{order_reference}/refunds/{refund_id}` → 200 {refund_id, status}; 404
 *
 * Pages: `GET` and `POST /checkout/{payment_reference}`, `GET /style.css`.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { LangoError } from '../domain/errors.ts';
import { amountNumber } from '../domain/money.ts';
import type { Log } from '../domain/ports.ts';
import { readBounded } from '../outbound/bounded.ts';
import { sameText } from '../outbound/signature.ts';
import {
  type Answer,
  CHANNEL,
  checkoutStatus,
  createCheckout,
  type Fields,
  NO_FAULTS,
  refundCheckout,
  refundStatus,
  refusal,
  reportedAmount,
  type SandboxFaults,
} from './api.ts';
import { Checkouts, type Outcome, randomId, type SandboxCheckout } from './checkouts.ts';
import { createNotifier } from './notify.ts';
import { checkoutPage, messagePage, STYLE } from './pages.ts';

/** What becomes of the notification about a decision. */
export type WebhookMode = 'once' | 'never' | 'twice' | 'late';

export interface SandboxServiceOptions {
  environment: string;
  /** Random when absent: then the service and its driver must share a process. */
  apiKey?: string;
  webhookSecret?: string;
  /** Where browsers find the service, e.g. `https://wifi.example/sandbox`; absent: where the API call came to. */
  publicUrl?: string;
  /** JSON lines that keep the checkouts over a restart; absent: memory only. */
  file?: string;
  /** Checkouts remembered; 10,000. */
  limit?: number;
  /** How long `webhook=late` waits; 5,000. */
  lateMs?: number;
  /** Pauses before the further tries of a notification that was not answered with 200. */
  retryDelaysMs?: readonly number[];
}

export interface SandboxService {
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly faults: SandboxFaults;
  /** How many checkouts it remembers. */
  readonly size: number;
  /** Reads the raw request body itself: mount it before any body parser. */
  handler(req: IncomingMessage, res: ServerResponse): void;
  /** The buttons of the checkout page. A paid order only sends its webhook again. @throws LangoError NOT_FOUND */
  decide(paymentReference: string, outcome: Outcome, webhook?: WebhookMode): void;
  close(): Promise<void>;
}

/** The sandbox gives access away for no money, so it never runs where money is real. @throws LangoError VALIDATION */
export function assertSandboxAllowed(environment: string): void {
  if (environment !== 'live') return;
  throw new LangoError(
    'VALIDATION',
    'The sandbox payment service does not run with LANGO_PAYMENT_ENVIRONMENT=live: choose a real LANGO_PAYMENT_PROVIDER.',
  );
}

const LONGEST_BODY = 16 * 1_024;
const WEBHOOK_MODES: ReadonlySet<string> = new Set(['once', 'never', 'twice', 'late']);
const OUTCOMES: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** @throws LangoError VALIDATION when the environment is `live` */
export function createSandboxService(options: SandboxServiceOptions, log: Log): SandboxService {
  assertSandboxAllowed(options.environment);
  const apiKey = options.apiKey ?? randomId(24);
  const webhookSecret = options.webhookSecret ?? randomId(24);
  const checkouts = new Checkouts(options.limit ?? 10_000, options.file ?? null);
  const notifier = createNotifier(webhookSecret, options.retryDelaysMs ?? [1_000, 5_000, 15_000], log);
  const closing = new AbortController();
  const faults: SandboxFaults = { ...NO_FAULTS };

  function decide(checkout: SandboxCheckout, outcome: Outcome, webhook: WebhookMode): void {
    checkouts.decide(checkout, outcome);
    if (webhook === 'never') return;
    const money = reportedAmount(checkout, faults);
    const rawBody = JSON.stringify({
      event_id: randomUUID(),
      order_reference: checkout.orderReference,
      payment_reference: checkout.paymentReference,
      payment_status: checkout.status,
      amount: amountNumber(money),
      currency: money.currency,
      phone_number: checkout.phone,
      transaction_id: checkout.transactionId,
      payment_channel: CHANNEL,
    });
    const delay = webhook === 'late' ? (options.lateMs ?? 5_000) : 0;
    notifier.deliver(checkout.webhookUrl, rawBody, delay);
    if (webhook === 'twice') notifier.deliver(checkout.webhookUrl, rawBody, delay);
  }

  function answer(req: IncomingMessage, body: Buffer, path: string, origin: string): Answer {
    if (!sameText(req.headers.authorization ?? null, `Bearer ${apiKey}`)) return refusal(401, 'Wrong API key.');
    if (faults.down) return refusal(503, 'The sandbox is down.');
    if (faults.rateLimited) return refusal(429, 'Too many requests.');
    const refund = /^\/api\/checkouts\/([^/]+)\/refunds\/([^/]+)$/.exec(path);
    if (req.method === 'GET' && refund !== null) return refundStatus(checkouts, refund[1] ?? '', refund[2] ?? '');
    if (req.method === 'GET' && path.startsWith('/api/checkouts/')) {
      return checkoutStatus(checkouts, lastSegment(path), faults);
    }
    const fields = req.method === 'POST' ? parseFields(body) : null;
    if (path === '/api/checkouts' && fields !== null) {
      const base = options.publicUrl?.replace(/\/+$/, '') ?? origin;
      return createCheckout(checkouts, fields, reference => `${base}/checkout/${reference}`);
    }
    const key = req.headers['idempotency-key'];
    if (path === '/api/refunds' && fields !== null && typeof key === 'string') {
      return refundCheckout(checkouts, fields, key, faults);
    }
    return refusal(400, 'The sandbox does not understand this request.');
  }

  async function api(req: IncomingMessage, res: ServerResponse, path: string, origin: string): Promise<void> {
    const { status, body } = answer(req, await readBody(req), path, origin);
    if (faults.delayMs > 0) await wait(faults.delayMs, undefined, { signal: closing.signal });
    if (faults.nonJson) return send(res, 200, 'text/html; charset=utf-8', '<h1>Bad gateway</h1>');
    if (status === 429) res.setHeader('retry-after', '1');
    send(res, status, 'application/json', JSON.stringify(body));
  }

  async function page(req: IncomingMessage, res: ServerResponse, path: string, prefix: string): Promise<void> {
    const styleUrl = `${prefix}/style.css`;
    const checkout = checkouts.byReference(lastSegment(path));
    const html = (status: number, body: string): void => send(res, status, 'text/html; charset=utf-8', body);
    if (checkout === undefined) return html(404, messagePage('There is no such payment.', styleUrl));
    if (req.method === 'GET' || req.method === 'HEAD') return html(200, checkoutPage(checkout, styleUrl));
    if (req.method !== 'POST') return html(405, messagePage('This page takes GET and POST.', styleUrl));

    const form = new URLSearchParams((await readBody(req)).toString('utf8'));
    const outcome = form.get('outcome') ?? '';
    const webhook = form.get('webhook') || 'once';
    if (!OUTCOMES.has(outcome) || !WEBHOOK_MODES.has(webhook)) {
      return html(400, messagePage('The form is not filled in.', styleUrl));
    }
    // A second press after success changes nothing, and sends no webhook.
    if (checkout.status !== 'COMPLETED') decide(checkout, outcome as Outcome, webhook as WebhookMode);
    res.setHeader('location', checkout.returnUrl);
    html(303, messagePage('Back to the shop.', styleUrl));
  }

  async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = (req.url ?? '/').split('?')[0] ?? '/';
    // A mounting server strips its prefix from `url` and leaves the whole in `originalUrl`.
    const whole = ((req as { originalUrl?: string }).originalUrl ?? path).split('?')[0] ?? path;
    const prefix = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : '';
    if (path.startsWith('/api/')) return api(req, res, path, `http://${req.headers.host ?? 'localhost'}${prefix}`);
    if (path.startsWith('/checkout/')) return page(req, res, path, prefix);
    if (path === '/style.css') return send(res, 200, 'text/css; charset=utf-8', STYLE);
    send(res, 404, 'text/html; charset=utf-8', messagePage('There is no such page.', `${prefix}/style.css`));
  }

  return {
    apiKey,
    webhookSecret,
    faults,
    get size() {
      return checkouts.size;
    },
    handler(req, res) {
      route(req, res).catch((fault: unknown) => {
        const tooLarge = fault instanceof LangoError;
        if (!res.headersSent) send(res, tooLarge ? 413 : 400, 'application/json', '{"message":"Bad request."}');
        else res.destroy();
      });
    },
    decide(paymentReference, outcome, webhook = 'once') {
      const checkout = checkouts.byReference(paymentReference);
      if (checkout === undefined) throw new LangoError('NOT_FOUND', 'There is no such payment.');
      decide(checkout, outcome, webhook);
    },
    async close() {
      closing.abort();
      await notifier.close();
    },
  };
}

function parseFields(body: Buffer): Fields | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

function lastSegment(path: string): string {
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  } catch {
    return '';
  }
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const body = await readBounded(req, LONGEST_BODY);
  if (body === null) throw new LangoError('PAYLOAD_TOO_LARGE', 'The request is too large.');
  return body;
}

function send(res: ServerResponse, status: number, type: string, body: string): void {
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': type.startsWith('text/css') ? 'max-age=3600' : 'no-store',
    // No form-action: browsers apply it to the redirect as well, and the shop may live on another origin.
    'content-security-policy': "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  res.end(body);
}
