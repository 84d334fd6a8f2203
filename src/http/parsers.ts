/** The parsers of request fields that need the domain: phone numbers, amounts, days. */
import type { ParsedTypes, Parser } from '../contract/fields.ts';
import { isUsername } from '../domain/admins.ts';
import { type Mac, parseIp, parseMac } from '../domain/mac.ts';
import { formatAmount, type Money, parseAmount } from '../domain/money.ts';
import { type Phone, type PhoneSearch, parsePhone, phoneSearch, stripDeviceSuffix } from '../domain/phone.ts';
import { type Day, dayOf, type Instant, parseDay, parseInstant } from '../domain/time.ts';

declare module '../contract/fields.ts' {
  interface ParsedTypes {
    phone: Phone;
    phonePart: PhoneSearch;
    routerUser: Phone;
    /** `phone` is null where it is nobody's number. */
    routerName: { name: string; phone: Phone | null };
    mac: Mac;
    ip: string;
    username: string;
    instant: Instant;
    day: Day;
    amount: Money;
  }
}

/** Where the appliance stands. */
export interface Place {
  /** Two letters; phone numbers without a country code are of this one. */
  readonly country: string;
  readonly currency: string;
  readonly timeZone: string;
}

const LONGEST_SEARCH = 40;

export function parsersAt({ country, currency, timeZone }: Place): {
  [Name in keyof ParsedTypes]: Parser<ParsedTypes[Name]>;
} {
  const routerUser = (name: string) => parsePhone(stripDeviceSuffix(name.trim()), country);
  const example = formatAmount({ minor: 100_000, currency });
  return {
    phone: { parse: raw => parsePhone(raw, country) },
    phonePart: { parse: raw => (raw.length > LONGEST_SEARCH ? null : phoneSearch(raw, country)) },
    routerUser: { parse: routerUser },
    routerName: { parse: raw => (raw === '' ? null : { name: raw, phone: routerUser(raw) }) },
    mac: { parse: parseMac },
    ip: { parse: parseIp },
    username: { parse: raw => (isUsername(raw) ? raw : null) },
    instant: { parse: instantOf },
    day: { parse: raw => parseDay(raw) ?? dayOfDateTime(raw, timeZone) },
    amount: {
      parse: raw => {
        const value = parseAmount(raw, currency);
        return value !== null && value.minor >= 0 ? value : null;
      },
      message: `Give an amount in ${currency}, not negative, with the currency's decimals at most, such as ${example}.`,
    },
  };
}

function instantOf(value: string): Instant | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value)) return null;
  try {
    return parseDay(value.slice(0, 10)) === null ? null : parseInstant(value);
  } catch {
    return null;
  }
}

/** A plus that was not escaped in a query arrives as a space. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?: ?(Z)|([+ -])(\d\d):?(\d\d))?$/i;

function dayOfDateTime(value: string, zone: string): Day | null {
  const [, date = '', time = '', utc, sign = '', hours = '', minutes = ''] = DATE_TIME.exec(value) ?? [];
  const day = parseDay(date);
  if (day === null) return null;
  const offset = hours === '' ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`;
  try {
    const instant = parseInstant(`${date}T${time}${offset}`);
    return utc === undefined && hours === '' ? day : dayOf(instant, zone);
  } catch {
    return null;
  }
}
