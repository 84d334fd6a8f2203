/**
 * The portal's forms as they are sent where no script runs. Each asks the endpoint that the script would have asked, in
 * process: the same validation, limits and answers.
 */
import type { IncomingMessage } from 'node:http';
import { takeFreeBundle } from '../contract/bundles.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { initiatePayment, readPaymentStatus } from '../contract/payments.ts';
import { verify } from '../contract/verify.ts';
import { redeemVoucher } from '../contract/vouchers.ts';
import { inWords, type Notice } from '../contract/words.ts';
import { parseIp, parseMac } from '../domain/mac.ts';
import { isOrderReference } from '../domain/orders.ts';
import type { Log } from '../domain/ports.ts';
import { type Instant, toEpochMs } from '../domain/time.ts';
import { type Fields, readFields } from './body.ts';
import type { ClientAddress } from './client-address.ts';
import { errorReply } from './errors.ts';
import type { FormKeys } from './form-keys.ts';
import type { Personal, PortalWords } from './portal-document.ts';
import { addressParameter, type PortalPageOptions, queryOf } from './portal-page.ts';
import type { Reply } from './reply.ts';
import type { Api, Route } from './route.ts';
import { validate } from './validation.ts';

export interface PortalFormsOptions {
  api: Pick<Api, 'routes'>;
  clientAddress: ClientAddress;
  formKeys: Pick<FormKeys, 'isGood'>;
  timeZone: string;
  log: Log;
}

/** The fields of the document's forms; `form` is which of them was sent. */
interface Sent {
  form: string;
  /** Shows that the document is our own. */
  key: string;
  phone: string;
  code: string;
  bundleId: string;
  /** A phone number or an order. */
  find: string;
  order: string;
}

/** What an endpoint answered: the body of success, or what it refused, in words. */
type Answered = { body: Record<string, unknown> } | { refusal: Notice; code: string };

export function createPortalForms({
  api,
  clientAddress,
  formKeys,
  timeZone,
  log,
}: PortalFormsOptions): PortalPageOptions['answer'] {
  return async (request, words, { bundles }) => {
    const sent = await readSent(request);
    if (sent === null) return bad(words.serverError);
    const bundleId = Number(sent.bundleId);
    const typed = { phone: sent.phone, code: sent.code, ...(Number.isInteger(bundleId) ? { bundleId } : {}) };
    if (!formKeys.isGood(sent.key, request)) {
      const order = sent.order === '' ? {} : { order: { reference: sent.order } };
      return { ...typed, ...order, find: sent.find, ...bad(words.sendAgain) };
    }
    const isFree = bundles.some(({ id, price }) => id === bundleId && price === 0);
    const answer = await answerForm(sent, isFree, request, words);
    return { ...typed, ...answer };
  };

  async function answerForm(
    sent: Sent,
    isFree: boolean,
    request: IncomingMessage,
    words: PortalWords,
  ): Promise<Personal> {
    const { fill, withTime, count } = inWords(words, false);
    const device = {
      mac_address: parseMac(addressParameter(request, 'mac') ?? '') ?? undefined,
      ip_address: parseIp(addressParameter(request, 'ip') ?? '') ?? undefined,
    };
    const { language } = new Intl.Locale(words.locale);

    switch (sent.form) {
      case 'pay':
        return isFree ? takeFree() : pay();
      case 'voucher':
        return redeem();
      case 'order':
        return follow(sent.order || (addressParameter(request, 'order') ?? ''));
      case 'find': {
        const order = sent.find.replace(/[\s-]/g, '').toUpperCase();
        return isOrderReference(order) ? follow(order) : connect(sent.find);
      }
      default:
        return bad(words.serverError);
    }

    async function pay(): Promise<Personal> {
      const order = { phone_number: sent.phone, bundle_id: sent.bundleId, language, ...device };
      const answered = await ask(initiatePayment, { body: { ...order, return_query: queryOf(request) } });
      if ('refusal' in answered) return bad(answered.refusal);
      return waiting(text(answered.body, 'order_reference'), text(answered.body, 'redirect_url'));
    }

    async function takeFree(): Promise<Personal> {
      const body = { phone_number: sent.phone, bundle_id: sent.bundleId, language, ...device };
      const answered = await ask(takeFreeBundle, { body });
      if (!('refusal' in answered)) return connect(sent.phone);
      // Who has time already just connects.
      return answered.code === 'FREE_TAKEN' ? connect(sent.phone, undefined, answered.refusal) : bad(answered.refusal);
    }

    async function redeem(): Promise<Personal> {
      const body = { phone_number: sent.phone, voucher_code: sent.code, language, ...device };
      const answered = await ask(redeemVoucher, { body });
      if ('refusal' in answered) return bad(answered.refusal);
      return { ...(await connect(sent.phone, sent.code)), code: '' };
    }

    async function follow(reference: string): Promise<Personal> {
      const answered = await ask(readPaymentStatus, { params: { order_reference: reference } });
      if ('refusal' in answered) return bad(answered.refusal);
      switch (answered.body['payment_status']) {
        case 'COMPLETED':
          return connect(
            text(answered.body, 'phone_number'),
            reference,
            answered.body['access_granted'] === true ? undefined : words.paymentReturned,
          );
        case 'FAILED':
          return bad(words.paymentFailed);
        case 'CANCELLED':
          return bad(words.paymentCancelled);
        default:
          return waiting(reference, text(answered.body, 'redirect_url'));
      }
    }

    /**
     * Says that somebody is online only where the router has let this phone in.
     * @param without what to say where no time runs, if there is more to say than that
     */
    async function connect(phone: string, proof?: string, without?: Notice): Promise<Personal> {
      const answered = await ask(verify, { body: { phone_number: phone, proof, ...device } });
      if ('refusal' in answered) return bad(answered.refusal);
      const { body } = answered;
      const user = body['user'] as Record<string, unknown>;
      const end = text(user, 'subscription_end');
      const time = end === '' ? '' : momentOf(end as Instant);
      if (body['has_access'] !== true) {
        const open = text(body, 'pending_order_reference');
        if (open !== '') return follow(open);
        return bad(without ?? (end === '' ? words.nothingFound : withTime(words.expired, time)));
      }
      if (body['proof_required'] === true) return bad(askForProof(words));
      if (body['online'] === true) return good([fill(words.onlineUntil, { time }), words.closePage]);
      if (body['router_connected'] === false) return bad(withTime(words.routerDownPaid, time));
      if (body['device_allowed'] !== false || body['other_device'] === true) return bad(withTime(words.oneStep, time));
      return bad([words.devicesTitle, count(Number(user['max_devices']), words.devicesLead)]);
    }

    function waiting(reference: string, page: string): Personal {
      const checkout = page === '' ? {} : { checkout: { address: page } };
      return { ...good([words.waitingTitle, reference]), order: { reference, ...checkout } };
    }

    function momentOf(end: Instant): string {
      const format = { weekday: 'long', hour: '2-digit', minute: '2-digit', hour12: false, timeZone } as const;
      return new Intl.DateTimeFormat(words.locale, format).format(toEpochMs(end));
    }

    async function ask(endpoint: Endpoint, given: { body?: Fields; params?: Fields }): Promise<Answered> {
      const route = api.routes.find(
        ({ method, path }) => method === endpoint.method && path === endpoint.path,
      ) as Route;
      let reply: Reply;
      try {
        reply = await routeReply(route, given);
      } catch (error) {
        const failed = { id: 'form', method: route.method, path: route.path };
        reply = errorReply(error, failed, { shape: route.errors ?? 'api', plain: false, log });
      }
      const body = JSON.parse(reply.body) as Record<string, unknown>;
      return reply.status === 200 ? { body } : { refusal: refusalOf(reply, body, words), code: text(body, 'code') };
    }

    async function routeReply(route: Route, given: { body?: Fields; params?: Fields }): Promise<Reply> {
      const clientIp = clientAddress(request);
      route.limit?.take(clientIp);
      const input: Record<string, unknown> = { clientIp, headers: request.headers, caller: null, actor: null };
      for (const part of ['params', 'body'] as const) {
        const schema = route[part];
        if (typeof schema === 'object') input[part] = validate([[schema, given[part] ?? {}]])[0];
      }
      return route.handle(input as never);
    }
  }
}

/** In bytes: what is typed comes back in the page several times as long. */
const LONGEST_FORM = 2 * 1_024;

/** @returns null for what is no form */
async function readSent(request: IncomingMessage): Promise<Sent | null> {
  try {
    const fields = await readFields(request, 'json-or-form', LONGEST_FORM);
    return {
      form: text(fields, 'form'),
      key: text(fields, 'key'),
      phone: text(fields, 'phone_number'),
      code: text(fields, 'voucher_code'),
      bundleId: text(fields, 'bundle_id'),
      find: text(fields, 'find'),
      order: text(fields, 'order'),
    };
  } catch {
    return null;
  }
}

function text(fields: Record<string, unknown>, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

const bad = ([happened, next]: Notice): Personal => ({ notice: { happened, next } });
const good = (notice: Notice): Personal => ({ ...bad(notice), tone: ' calm' });

const askForProof = ({ proofTitle, proofLead }: PortalWords): Notice => [proofTitle, proofLead];

function refusalOf(reply: Reply, body: Record<string, unknown>, words: PortalWords): Notice {
  const fields = Object.keys(body['details'] ?? {});
  const asked: Record<string, string> = {
    bundle_id: words.needBundle,
    phone_number: words.needPhone,
    voucher_code: words.needCode,
    order_reference: words.needPhoneOrOrder,
  };
  const field = fields.find(name => name in asked);
  if (field !== undefined) return [asked[field] ?? '', ''];
  const code = text(body, 'code');
  if (code === 'PROOF_REQUIRED') return askForProof(words);
  if (reply.status === 404 && words.refusals[code] === undefined) return words.orderUnknown;
  const wait = reply.headers.indexOf('Retry-After');
  const retryAfter = wait < 0 ? 0 : Number(reply.headers[wait + 1]);
  return inWords(words, false).explain({ status: reply.status, code, fields, retryAfter });
}
