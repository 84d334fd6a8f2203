/**
 * What stands in the portal's document: the build has written the words of a language into it, and left places for
 * what the business is and sells.
 *
 * `<%name%>` is a text, escaped; what stands between `<%#name%>` and `<%/name%>` is there for each of a list, once for
 * an object or `true`, and not at all for what is missing or empty.
 */
import type { PortalFacts } from '../contract/portal.ts';
import { type Forms, inWords, type Notice, type Words } from '../contract/words.ts';
import { SECONDS_PER_HOUR } from '../domain/time.ts';
import { coloursOf } from './portal-colours.ts';

/** What the words of a language hold besides, for answers to forms. */
export interface PortalWords extends Words {
  readonly needBundle: string;
  readonly needPhone: string;
  readonly needCode: string;
  readonly needPhoneOrOrder: string;
  readonly onlineUntil: string;
  readonly closePage: string;
  readonly waitingTitle: string;
  readonly waitingLead: string;
  readonly waitingSlow: string;
  readonly devicesTitle: string;
  readonly devicesLead: Forms;
  readonly proofTitle: string;
  readonly proofLead: string;
  readonly routerDownPaid: Notice;
  readonly oneStep: Notice;
  readonly paymentFailed: Notice;
  readonly paymentCancelled: Notice;
  readonly paymentReturned: Notice;
  readonly expired: Notice;
  readonly nothingFound: Notice;
  readonly orderUnknown: Notice;
  readonly sendAgain: Notice;
}

/** A language's document and its words, as the build has made them. */
export interface PortalDocument {
  readonly html: string;
  readonly words: PortalWords;
}

/** What a document holds for one person: what came of a form, and what was typed into it. */
export interface Personal {
  notice?: { happened: string; next: string };
  /** Where the form's answer is good news. */
  tone?: string;
  /** An order that may be asked about; `reference` is empty where the address has it. */
  order?: { reference: string; checkout?: { address: string } };
  phone?: string;
  code?: string;
  find?: string;
  bundleId?: number;
}

type Value = string | boolean | undefined | Values | readonly Values[];
interface Values {
  readonly [name: string]: Value;
}

export function fillDocument({ html, words }: PortalDocument, facts: PortalFacts, personal: Personal = {}): string {
  return fill(html, valuesOf(html, words, facts, personal));
}

function fill(template: string, values: Values): string {
  return template
    .replace(/<%#(\w+)%>(.*?)<%\/\1%>/gs, (_, name: string, inner: string) => {
      const value = values[name];
      if (value === undefined || value === false || value === '') return '';
      const each: readonly Values[] = typeof value === 'object' ? [value].flat() : [values];
      return each.map(item => fill(inner, item)).join('');
    })
    .replace(/<%(\w+)%>/g, (_, name: string) => escapeHtml(typeof values[name] === 'string' ? values[name] : ''));
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);

function valuesOf(html: string, words: PortalWords, { portal, bundles }: PortalFacts, own: Personal): Values {
  const { duration } = inWords(words, html.includes(' dir="rtl"'));
  const offered = bundles.filter(({ is_active, price }) => is_active && (price === 0 || portal.payments));
  const vouchersOnly = !portal.payments && offered.length === 0;
  const logo = logoOf(portal.logo_url);
  return {
    zone: portal.time_zone,
    colours: coloursOf(portal.primary_color),
    page: vouchersOnly ? 'has-code' : '',
    sandbox: portal.sandbox,
    logo,
    gate: logo === undefined,
    business: portal.business_name,
    vouchersOnly,
    selling: !vouchersOnly,
    closed: portal.router_down,
    bundles: offered.map(bundle => ({
      id: String(bundle.id),
      chosen: bundle.id === own.bundleId,
      free: bundle.price === 0,
      time: duration(Math.round(bundle.duration_hours * SECONDS_PER_HOUR)),
      about: bundle.description === '' ? bundle.name : `${bundle.name} · ${bundle.description}`,
      paid: bundle.price === 0 ? undefined : priceParts(bundle.price, portal.currency, words.locale),
    })),
    nothing: offered.length === 0,
    onlyFree: offered.every(({ price }) => price === 0),
    support: supportOf(portal.support_phone),
    terms: termsOf(portal.terms_url),
    phone: own.phone,
    code: own.code,
    find: own.find,
    tone: own.tone,
    notice: own.notice,
    order: own.order,
  };
}

/** The number and the currency, to be told from each other at a glance; whole amounts without decimals. */
function priceParts(amount: number, currency: string, locale: string): Values[] {
  const digits = Number.isInteger(amount) ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {};
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits });
  return format
    .formatToParts(amount)
    .map(({ type, value }) => ({ tag: type === 'currency' ? 'i' : 'span', text: value }));
}

/** Only from the appliance itself: a phone that is not online yet reaches nothing else. */
function logoOf(address: string | null): Values | undefined {
  return address !== null && /^(data:image\/|\/(?!\/))/.test(address) ? { address } : undefined;
}

function supportOf(phone: string | null): Values | undefined {
  return phone ? { phone, number: phone.replace(/[^+\d]/g, '') } : undefined;
}

function termsOf(address: string | null): Values | undefined {
  return address !== null && /^(https?:\/\/|\/(?!\/))/.test(address) ? { address } : undefined;
}
