/** How the fields of requests become values of the domain: what `contract/fields` leaves to whoever knows it. */
import type { Reader, Readings } from '../contract/fields.ts';
import { isUsername } from '../domain/admins.ts';
import { type Mac, parseIp, parseMac } from '../domain/mac.ts';
import { formatAmount, type Money, parseAmount } from '../domain/money.ts';
import { type Phone, type PhoneSearch, parsePhone, phoneSearch, stripDeviceSuffix } from '../domain/phone.ts';
import { type Day, dayOf, type Instant, parseDay, parseInstant } from '../domain/time.ts';

declare module '../contract/fields.ts' {
  interface Readings {
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

export function readersAt({ country, currency, timeZone }: Place): {
  [Name in keyof Readings]: Reader<Readings[Name]>;
} {
  const routerUser = (name: string) => parsePhone(stripDeviceSuffix(name.trim()), country);
  const example = formatAmount({ minor: 100_000, currency });
  return {
    phone: { read: raw => parsePhone(String(raw), country) },
    phonePart: { read: raw => (String(raw).length > LONGEST_SEARCH ? null : phoneSearch(String(raw), country)) },
    routerUser: { read: raw => routerUser(String(raw)) },
    routerName: { read: raw => (raw === '' ? null : { name: String(raw), phone: routerUser(String(raw)) }) },
    mac: { read: raw => parseMac(String(raw)) },
    ip: { read: raw => parseIp(String(raw)) },
    username: { read: raw => (isUsername(String(raw)) ? String(raw) : null) },
    instant: { read: raw => readInstant(String(raw)) },
    day: { read: raw => parseDay(String(raw)) ?? dayOfDateTime(String(raw), timeZone) },
    amount: {
      read: raw => {
        const value = parseAmount(raw, currency);
        return value !== null && value.minor >= 0 ? value : null;
      },
      message: `Give an amount in ${currency}, not negative, with the currency's decimals at most, such as ${example}.`,
    },
  };
}

function readInstant(value: string): Instant | null {
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
