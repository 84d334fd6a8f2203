/**
 * The fields of requests, as valibot schemas. Each message says what to send instead; a field reports one problem,
 * a request all of its fields at once.
 *
 * Numbers and booleans may come as text in JSON too, as web forms send them. Queries, forms and paths have text only;
 * the helpers for them end in `Text`.
 */
import * as v from 'valibot';

import { isUsername, USERNAME_RULE } from '../domain/admins.ts';
import { LangoError } from '../domain/errors.ts';
import { type Mac, parseIp, parseMac } from '../domain/mac.ts';
import { formatAmount, type Money, parseAmount } from '../domain/money.ts';
import { type Phone, type PhoneSearch, parsePhone, phoneSearch, stripDeviceSuffix } from '../domain/phone.ts';
import { type Instant, parseDay, parseInstant, SECONDS_PER_HOUR } from '../domain/time.ts';
import type { Fields } from './body.ts';

/** A part of a JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema that reads fields and gives the handler its typed input. */
export type Schema<Output = unknown> = v.GenericSchema<unknown, Output> | v.GenericSchema<Fields, Output>;

export const USUAL_PAGE_SIZE = 20;
const LONGEST_PAGE_SIZE = 100;

// ------------------------------------------------------------------------------------------------ running

/** A part of a request, and the schema it has to meet. */
export type Part = readonly [schema: Schema, fields: Fields];

/**
 * @returns the typed output of each part
 * @throws LangoError VALIDATION with the problems of all fields of all parts
 */
export function validate(parts: readonly Part[]): unknown[] {
  const details = new Map<string, string[]>();
  const outputs = parts.map(([schema, given]) => {
    const result = v.safeParse(schema, given, { abortPipeEarly: true });
    for (const issue of result.issues ?? []) note(details, issue, nameSent(schema, given, fieldOf(issue)));
    return result.output;
  });
  if (details.size === 0) return outputs;
  throw new LangoError('VALIDATION', 'Some fields need attention.', { details: Object.fromEntries(details) });
}

/** The field that an issue is about; requests are flat, so it is the first step of the path. */
function fieldOf({ path }: v.BaseIssue<unknown>): string {
  const key = path?.[0].key;
  return typeof key === 'string' ? key : 'body';
}

/** The name under which the client sent a field; of one that is missing, the one of the dialect that it speaks. */
function nameSent(schema: Schema, given: Fields, name: string): string {
  const aliases = Object.entries((v.getMetadata(schema as v.GenericSchema)['aliases'] ?? {}) as Record<string, string>);
  const sent = aliases.filter(
    ([alias, real]) => Object.hasOwn(given, alias) && (!isGiven(given, real) || given[alias] === given[real]),
  );
  const isMissing = !isGiven(given, name) && sent.length > 0;
  const [alias = name] = (isMissing ? aliases : sent).find(([, real]) => real === name) ?? [];
  return alias;
}

function note(details: Map<string, string[]>, issue: v.BaseIssue<unknown>, field: string): void {
  const isMissing = issue.kind === 'schema' && issue.type === 'object' && issue.path !== undefined;
  const message = isMissing ? 'This field is required.' : issue.message;
  details.set(field, [...(details.get(field) ?? []), message]);
}

// ------------------------------------------------------------------------------------------------ composing

/** The fields of a request; unknown ones are ignored. */
export const fields = v.object;

/** Absent, `null` and empty text all mean that the field was not given. */
export function optional<Output>(schema: v.GenericSchema<string, Output> | v.GenericSchema<unknown, Output>) {
  const given = v.transform((value: unknown) => (value === null || value === '' ? undefined : value));
  return v.optional(v.pipe(v.unknown(), given, v.optional(schema as v.GenericSchema<unknown, Output>)));
}

/**
 * Fields that clients know under two names. What came under an alias counts as the name, unless that was given too.
 * @param aliases alias → name, such as `{ username: 'phone_number', mac: 'mac_address' }`
 */
export function aliased<const Inner extends v.GenericSchema<Fields, unknown>>(
  aliases: Readonly<Record<string, string>>,
  schema: Inner,
) {
  const pairs = Object.entries(aliases);
  const rename = (given: Fields): v.InferInput<Inner> => {
    for (const [alias, name] of pairs) {
      if (!isGiven(given, name) && isGiven(given, alias)) given[name] = given[alias];
    }
    return given;
  };
  return v.pipe(
    v.custom<Fields>(value => typeof value === 'object'),
    v.metadata({ aliases }),
    v.transform(rename),
    schema,
  );
}

function isGiven(given: Fields, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== null && given[name] !== '';
}

/**
 * Text that a parser of the domain turns into a value, or refuses with null.
 * @param described what a client may send, as JSON Schema, where that says more than "text"
 */
export function parsedText<Output>(parse: (raw: string) => Output | null, message: string, described: JsonSchema = {}) {
  return v.pipe(
    v.string(message),
    v.metadata({ jsonSchema: described }),
    v.rawTransform<string, Output>(({ dataset, addIssue, NEVER }) => {
      const value = parse(dataset.value);
      if (value !== null) return value;
      addIssue({ message });
      return NEVER;
    }),
  );
}

// ------------------------------------------------------------------------------------------------ the fields

/** @param country two letters; numbers without a country code are of this one */
export function phone(country: string): v.GenericSchema<string, Phone> {
  return parsedText(
    value => parsePhone(value, country),
    'Give a mobile number, such as 0712 345 678 or +255712345678.',
  );
}

/** A phone number or a part of one, to search for. */
export function phonePart(country: string): v.GenericSchema<string, PhoneSearch> {
  const read = (value: string) => (value.length > LONGEST_SEARCH ? null : phoneSearch(value, country));
  return parsedText(read, 'Give a phone number or a part of one, such as 712 345.');
}

const LONGEST_SEARCH = 40;

/** A router's user name: the phone number, with or without plus, and perhaps a device suffix (`255712345678-2`). */
export function routerUser(country: string): v.GenericSchema<string, Phone> {
  return parsedText(value => parseRouterUser(value, country), ROUTER_USER);
}

/** The same for questions that have an answer for every name: `phone` is null where it is nobody's number. */
export function routerName(country: string): v.GenericSchema<string, { name: string; phone: Phone | null }> {
  const read = (name: string) => (name === '' ? null : { name, phone: parseRouterUser(name, country) });
  return parsedText(read, ROUTER_USER, { minLength: 1 });
}

const ROUTER_USER = 'Give the user name, a mobile number such as 255712345678.';

function parseRouterUser(name: string, country: string): Phone | null {
  return parsePhone(stripDeviceSuffix(name.trim()), country);
}

export function mac(): v.GenericSchema<string, Mac> {
  return parsedText(parseMac, 'Give the MAC address of one device, such as A4:83:E7:12:34:56.');
}

export function ip(): v.GenericSchema<string, string> {
  return parsedText(parseIp, 'Give an IPv4 or IPv6 address, such as 10.5.50.23.');
}

/** What somebody reads; of any language, though not every one has words of its own here. */
export function language(): v.GenericSchema<string, string> {
  return parsedText(value => (/^[a-z]{2,3}$/.test(value) ? value : null), 'Give the code of a language, such as sw.');
}

/** Text of 1 to `longest` characters, trimmed, on one line. */
export function text(longest: number): v.GenericSchema<string, string> {
  return parsedText(
    value => {
      const trimmed = value.trim();
      const isFine = trimmed !== '' && trimmed.length <= longest && trimmed.isWellFormed() && !/\p{Cc}/u.test(trimmed);
      return isFine ? trimmed : null;
    },
    `Give 1 to ${longest} characters on one line.`,
    { minLength: 1, maxLength: longest },
  );
}

/** Text of 1 to `longest` characters exactly as it came: passwords and the like. */
export function secret(longest: number): v.GenericSchema<string, string> {
  const isFine = (value: string) => value !== '' && value.length <= longest && value.isWellFormed();
  return parsedText(value => (isFine(value) ? value : null), `Give 1 to ${longest} characters.`, {
    minLength: 1,
    maxLength: longest,
  });
}

/** The name an admin logs in with. */
export function username(): v.GenericSchema<string, string> {
  return parsedText(value => (isUsername(value) ? value : null), USERNAME_RULE);
}

/** A password that is being chosen. */
export function newPassword(): v.GenericSchema<string, string> {
  const isFine = (value: string) => value.length >= 10 && value.length <= 1_024 && value.isWellFormed();
  return parsedText(value => (isFine(value) ? value : null), 'Give 10 to 1024 characters.', {
    minLength: 10,
    maxLength: 1_024,
  });
}

export function email(): v.GenericSchema<string, string> {
  const message = 'Give an e-mail address, such as asha@example.com.';
  const isFine = (value: string) => value.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value);
  return parsedText(value => (isFine(value.trim()) ? value.trim() : null), message);
}

/** One of a few words. */
export function oneOf<const Words extends readonly string[]>(words: Words): v.GenericSchema<string, Words[number]> {
  return v.picklist(words, `Give one of: ${words.join(', ')}.`);
}

/** A date and time of ISO 8601 with its offset from UTC, such as `2026-11-21T10:00:00Z`. */
export function instant(): v.GenericSchema<string, Instant> {
  const isWhole = (value: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(value);
  const read = (value: string): Instant | null => {
    try {
      return isWhole(value) && parseDay(value.slice(0, 10)) !== null ? parseInstant(value) : null;
    } catch {
      return null;
    }
  };
  return parsedText(read, 'Give a date and time with its offset, such as 2026-11-21T10:00:00Z.', {
    format: 'date-time',
  });
}

/** What JSON may write a number as. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberFrom<Output>(schema: v.GenericSchema<number, Output>): v.GenericSchema<unknown, Output> {
  const read = (value: unknown) => (typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value);
  return v.pipe(v.unknown(), v.transform(read), schema as v.GenericSchema<unknown, Output>);
}

export function wholeNumber(bounds: { min: number; max: number }): v.GenericSchema<unknown, number> {
  const message = `Give a whole number from ${bounds.min} to ${bounds.max}.`;
  return numberFrom(
    v.pipe(v.number(message), v.safeInteger(message), v.minValue(bounds.min, message), v.maxValue(bounds.max, message)),
  );
}

export function decimal(bounds: { min: number; max: number }): v.GenericSchema<unknown, number> {
  const message = `Give a number from ${bounds.min} to ${bounds.max}.`;
  return numberFrom(v.pipe(v.number(message), v.minValue(bounds.min, message), v.maxValue(bounds.max, message)));
}

/** Hours on the wire, whole seconds inside: half an hour is `0.5`, at most a year. */
export function hours(): v.GenericSchema<unknown, number> {
  const message = 'Give hours from 0.01 (36 seconds) to 8760, a whole number of seconds.';
  return v.pipe(
    decimal({ min: 0.01, max: 8_760 }),
    // 0.1 h is 360 s, though not to a computer's fractions.
    v.transform(given => Math.round(given * SECONDS_PER_HOUR * 1_000) / 1_000),
    v.integer(message),
  );
}

export function bool(): v.GenericSchema<unknown, boolean> {
  const read = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number'
      ? (TRUTH.get(String(value).trim().toLowerCase()) ?? value)
      : value;
  return v.pipe(v.unknown(), v.transform(read), v.boolean('Give true or false.') as v.GenericSchema<unknown, boolean>);
}

const TRUTH = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function boolText(): v.GenericSchema<string, boolean> {
  return parsedText(value => TRUTH.get(value.toLowerCase()) ?? null, 'Give true or false.', { type: 'boolean' });
}

export function id(): v.GenericSchema<unknown, number> {
  const message = 'Give the id, a positive whole number.';
  return numberFrom(v.pipe(v.number(message), v.safeInteger(message), v.minValue(1, message)));
}

export function idText(): v.GenericSchema<string, number> {
  return parsedText(positive, 'Give the id, a positive whole number.', { type: 'integer', minimum: 1 });
}

/** A page's number, 1 where none is given. */
export function pageText() {
  return v.optional(
    parsedText(positive, 'Give the page, a whole number from 1.', { type: 'integer', minimum: 1 }),
    '1',
  );
}

/** Rows of a page; more than 100 is cut to 100. */
export function pageSizeText(byDefault = USUAL_PAGE_SIZE) {
  const size = parsedText(
    value => (/^0*[1-9]\d*$/.test(value) ? Math.min(Number(value), LONGEST_PAGE_SIZE) : null),
    `Give the page size, a whole number from 1 to ${LONGEST_PAGE_SIZE}.`,
    { type: 'integer', minimum: 1, maximum: LONGEST_PAGE_SIZE },
  );
  return v.optional(size, String(byDefault));
}

/** An amount in major units of the currency, as a JSON number or a decimal string; never negative. */
export function amount(currency: string): v.GenericSchema<string | number, Money> {
  const example = formatAmount({ minor: 100_000, currency });
  const message = `Give an amount in ${currency}, not negative, with the currency's decimals at most, such as ${example}.`;
  return v.pipe(
    v.union([v.number(message), v.string(message)], message),
    v.rawTransform<string | number, Money>(({ dataset, addIssue, NEVER }) => {
      const value = parseAmount(dataset.value, currency);
      if (value !== null && value.minor >= 0) return value;
      addIssue({ message });
      return NEVER;
    }),
  );
}

function positive(value: string): number | null {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : 0;
  return number >= 1 && Number.isSafeInteger(number) ? number : null;
}
