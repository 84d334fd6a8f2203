/** Phone numbers. One canonical form everywhere: E.164 with a leading plus. */
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

declare const phoneBrand: unique symbol;
/** E.164 with `+`, of a type that can be a mobile phone. */
export type Phone = string & { readonly [phoneBrand]: true };

const LONGEST_INPUT = 40;
const MOBILE_TYPES = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'PERSONAL_NUMBER']);

export function isCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

const FOREIGN_DIGIT = /[^\P{Nd}0-9]/gu;

/** Digits of any script become 0–9; spaces, dashes, dots and parentheses of any script go. */
export function stripSeparators(text: string): string {
  return text
    .normalize('NFKC')
    .replace(FOREIGN_DIGIT, digit => String(decimalValue(digit)))
    .replace(/[\s\p{Pd}\p{Cf}.()/]/gu, '');
}

/** Decimal digits of every script come in runs of ten that start at a multiple found by walking back. */
function decimalValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1;
  // Runs of different scripts can touch (mathematical digits); NFKC has already folded those.
  return value;
}

/** How many writings are remembered for a country, in 20 MiB; one more, and it starts afresh. */
const MOST_REMEMBERED = 200_000;
const remembered = new Map<string, Map<string, Phone>>();

/**
 * Remembers what it has found: the same numbers are asked for again and again, and the rules of all countries take
 * thirty times as long.
 * @param text a number as people write it: `+255712345678`, `255712345678`, `0712 345 678`, `00255…`, `٠٧١٢٣٤٥٦٧٨`
 * @returns null when it is not the number of something that can be a mobile phone.
 */
export function parsePhone(text: string, defaultCountry: string): Phone | null {
  const known = remembered.get(defaultCountry)?.get(text);
  if (known !== undefined) return known;
  if (text.length > LONGEST_INPUT || !isCountry(defaultCountry)) return null;
  const phone = phoneOf(text, defaultCountry);
  return phone === null ? null : remember(text, defaultCountry, phone);
}

function phoneOf(text: string, defaultCountry: CountryCode): Phone | null {
  const digits = stripSeparators(text).replace(/^00/, '+');
  if (!/^\+?\d{4,17}$/.test(digits)) return null;
  const national = mobileNumber(digits, defaultCountry);
  if (national !== null || digits.startsWith('+')) return national;
  return mobileNumber(`+${digits}`, defaultCountry);
}

function remember(text: string, country: string, phone: Phone): Phone {
  const numbers = remembered.get(country) ?? new Map<string, Phone>();
  if (numbers.size === MOST_REMEMBERED) numbers.clear();
  const own = copyOf(phone) as Phone;
  numbers.set(copyOf(text), own);
  remembered.set(country, numbers);
  return own;
}

/** A part of a text keeps the whole of it in memory, which may be a large request. */
const copyOf = (text: string): string => Buffer.from(text).toString();

function mobileNumber(digits: string, country: CountryCode): Phone | null {
  const parsed = parsePhoneNumberFromString(digits, country);
  // Of a number that is not valid there is no type.
  return parsed !== undefined && MOBILE_TYPES.has(parsed.getType() ?? '') ? (parsed.number as Phone) : null;
}

/** `+255712345678` → `+2557…678`, for logs. */
export function maskPhone(phone: string): string {
  return phone.length < 8 ? '…' : `${phone.slice(0, 5)}…${phone.slice(-3)}`;
}

/** A person's user name on the router: the canonical number without its plus. */
export function routerUserName(phone: Phone, slot: number): string {
  return slot === 1 ? phone.slice(1) : `${phone.slice(1)}-${slot}`;
}

/** A router user name may carry a device suffix (`255712345678-2`); the person is what stands before it. */
export function stripDeviceSuffix(userName: string): string {
  return userName.includes('-') ? userName.replace(/(?<=\d{7,})-\d{1,4}$/, '') : userName;
}

/** A whole number, or digits that stand somewhere in one. */
export type PhoneSearch = { is: Phone } | { contains: string };

/** What a search for a number or a part of one looks for; null: there is no digit in it. */
export function phoneSearch(text: string, defaultCountry: string): PhoneSearch | null {
  const whole = parsePhone(text, defaultCountry);
  if (whole !== null) return { is: whole };
  const contains = searchDigits(text);
  return contains === '' ? null : { contains };
}

/** What somebody typed to find a record by; `phone` is null where it can be no part of a number. */
export interface TextSearch {
  text: string;
  phone: PhoneSearch | null;
}

/** Names and references have letters; what has none may be a part of a phone number. */
export function textSearch(text: string, defaultCountry: string): TextSearch {
  const isNumberLike = text.length <= LONGEST_INPUT && !/\p{L}/u.test(text);
  return { text, phone: isNumberLike ? phoneSearch(text, defaultCountry) : null };
}

/**
 * The digits a partial search is run with: `0712 345` and `+255712345` both find `+255712345678`.
 * A leading zero is the trunk prefix of a national number, and never stands in the canonical form.
 */
export function searchDigits(text: string): string {
  return stripSeparators(text).replace(/\D/g, '').replace(/^0+/, '');
}
