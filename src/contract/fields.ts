/**
 * The fields of requests. Each message says what to send instead; a field reports one problem, a request all of its
 * fields at once.
 *
 * Numbers and booleans may come as text in JSON too, as web forms send them. Queries, forms and paths have text only;
 * the fields for them end in `Text`. What only the domain can parse, or what depends on the country or currency
 * (a phone number, an amount), is left to the `Parsers` that the server binds a schema to.
 */
import * as v from 'valibot';

/** A part of a JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The output type of each parser, declared where the parser is; string for a name that is not declared. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface ParsedTypes {}

type Parsed<Name extends string> = Name extends keyof ParsedTypes ? ParsedTypes[Name] : string;

export interface Parser<Value> {
  /** null: it is not valid. */
  readonly parse: (raw: string) => Value | null;
  /** In place of the message of the schema, where it depends on the appliance. */
  readonly message?: string;
}

/** By the names of `ParsedTypes`. */
export type Parsers = Readonly<Record<string, Parser<unknown>>>;

/** The schema, bound to these parsers. */
export function withParsers(schema: v.GenericSchema, parsers: Parsers): v.GenericSchema {
  const config: object = { abortPipeEarly: true, parsers };
  return v.config(schema, config);
}

/** What a client may send for a field, as JSON Schema: that is what the OpenAPI document makes of metadata. */
const described = <Input>(jsonSchema: JsonSchema) => v.metadata<Input, JsonSchema>(jsonSchema);

/** Text that is refused where `parse` answers null. */
export function parsed<Output>(parse: (raw: string) => Output | null, message: string, jsonSchema: JsonSchema = {}) {
  const parser: Parser<Output> = { parse };
  return parsedText(message, jsonSchema, () => parser);
}

/** Text that the parser of that name parses. */
function parsedBy<Name extends string>(name: Name, message: string, jsonSchema: JsonSchema = {}) {
  return parsedText(message, jsonSchema, parserNamed(name));
}

function parsedText<Output>(message: string, jsonSchema: JsonSchema, parserIn: (config: object) => Parser<Output>) {
  return v.pipe(
    v.string(message),
    described({ type: 'string', description: message, ...jsonSchema }),
    parsing(message, parserIn),
  );
}

const parserNamed =
  <Name extends string>(name: Name) =>
  (config: { parsers?: Parsers }) => {
    const parser = config.parsers?.[name];
    if (parser === undefined) throw new Error(`No parser named "${name}".`);
    return parser as Parser<Parsed<Name>>;
  };

const parsing = <Output>(message: string, parserIn: (config: object) => Parser<Output>) =>
  v.rawTransform<string, Output>(({ dataset, config, addIssue, NEVER }) => {
    const parser = parserIn(config);
    const value = parser.parse(dataset.value);
    if (value !== null) return value;
    addIssue({ message: parser.message ?? message });
    return NEVER;
  });

// ------------------------------------------------------------------------------------------------ composing

/** Absent, `null` and empty text all mean that the field was not given. */
export function optional<Output>(schema: v.GenericSchema<string, Output> | v.GenericSchema<unknown, Output>) {
  return ifGiven(schema, value => value === null || value === '');
}

/** The same, with what then counts. */
export function withDefault<Output>(schema: v.GenericSchema<unknown, Output>, usual: Output) {
  const given = v.transform((value: Output | undefined) => value ?? usual);
  return v.pipe(v.optional(optional(schema), null), described({ default: usual }), given);
}

/** Absent, empty and `all`, in any case, filter nothing: web forms send what was not chosen so. */
export function filter<Output>(schema: v.GenericSchema<string, Output> | v.GenericSchema<unknown, Output>) {
  return ifGiven(schema, isUnchosen);
}

/** A filter by one of `values`, in any case. */
export function enumFilter<const Values extends readonly string[]>(values: Values) {
  const lower = v.transform((value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value));
  const schema = enumOf(values);
  const chosen = schema as v.GenericSchema<unknown, Values[number]>;
  return filter<Values[number]>(v.pipe(v.unknown(), described(v.getMetadata(schema)), lower, chosen));
}

function ifGiven<Output>(
  schema: v.GenericSchema<string, Output> | v.GenericSchema<unknown, Output>,
  isAbsent: (value: unknown) => boolean,
) {
  const given = v.transform((value: unknown) => (isAbsent(value) ? undefined : value));
  const inner = v.optional(schema as v.GenericSchema<unknown, Output>);
  return v.optional(v.pipe(v.unknown(), described(v.getMetadata(schema)), given, inner));
}

function isUnchosen(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^\s*(all)?\s*$/i.test(value));
}

/** Fields by name, as they came. */
type Fields = Record<string, unknown>;

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
    v.metadata({ aliases, fields: schema }),
    v.transform(rename),
    schema,
  );
}

export function isGiven(given: Fields, name: string): boolean {
  const value = given[name];
  return value !== undefined && value !== null && value !== '';
}

// ------------------------------------------------------------------------------------------------ the fields

/** A number without a country code is of the appliance's country. */
export const phone = parsedBy('phone', 'Give a mobile number, such as 0712 345 678 or +255712345678.');

/** A phone number or a part of one, to search for. */
export const phonePart = parsedBy('phonePart', 'Give a phone number or a part of one, such as 712 345.');

const ROUTER_USER = 'Give the user name, a mobile number such as 255712345678.';

/** A router's user name: the phone number, with or without plus, and perhaps a device suffix (`255712345678-2`). */
export const routerUser = parsedBy('routerUser', ROUTER_USER);

/** The same for questions that have an answer for every name. */
export const routerName = parsedBy('routerName', ROUTER_USER, { minLength: 1 });

export const mac = parsedBy('mac', 'Give the MAC address of one device, such as A4:83:E7:12:34:56.');

export const ip = parsedBy('ip', 'Give an IPv4 or IPv6 address, such as 10.5.50.23.');

/** What shows that a number is the own one; longer than any reference of a provider. */
export const proof = text(100);

/** A language tag, of any language: replies fall back where Lango has no translation. */
export const language = parsed(
  value => (/^[a-z]{2,3}$/.test(value) ? value : null),
  'Give the code of a language, such as sw.',
);

/** Text of 1 to `longest` characters, trimmed, on one line. */
export function text(longest: number) {
  const isFine = (value: string) => value !== '' && value.length <= longest && !/\p{Cc}|\p{Cs}/u.test(value);
  return parsed(value => (isFine(value.trim()) ? value.trim() : null), `Give 1 to ${longest} characters on one line.`, {
    minLength: 1,
    maxLength: longest,
  });
}

/** Of a sale; the same one again answers with the first: a lost reply is safe to ask for again. */
export const idempotencyKey = optional(text(100));

/** Text of 1 to `longest` characters exactly as it came: passwords and the like. */
export function secret(longest: number) {
  const isFine = (value: string) => value !== '' && value.length <= longest && !/\p{Cs}/u.test(value);
  return parsed(value => (isFine(value) ? value : null), `Give 1 to ${longest} characters.`, {
    minLength: 1,
    maxLength: longest,
  });
}

export const USERNAME_RULE = 'Give 1 to 150 letters, digits, or . _ @ + -, without spaces.';

/** The name an admin logs in with. */
export const username = parsedBy('username', USERNAME_RULE);

/** Devices that a person may have. */
export const MAX_DEVICES = { min: 1, max: 100 };

export const SHORTEST_PASSWORD = 10;

/** A password that is being chosen. */
export const newPassword = parsed(
  value => (value.length >= SHORTEST_PASSWORD && value.length <= 1_024 && !/\p{Cs}/u.test(value) ? value : null),
  `Give ${SHORTEST_PASSWORD} to 1024 characters.`,
  { minLength: SHORTEST_PASSWORD, maxLength: 1_024 },
);

export const email = parsed(
  value => (value.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value.trim()) ? value.trim() : null),
  'Give an e-mail address, such as asha@example.com.',
);

/** An enum: one of `values`. */
export function enumOf<const Values extends readonly string[]>(values: Values) {
  const message = `Give one of: ${values.join(', ')}.`;
  const jsonSchema = { type: 'string', enum: values, description: message };
  return v.pipe(v.picklist(values, message), described<Values[number]>(jsonSchema));
}

/** A date and time of ISO 8601 with its offset from UTC, such as `2026-11-21T10:00:00Z`. */
export const instant = parsedBy('instant', 'Give a date and time with its offset, such as 2026-11-21T10:00:00Z.', {
  format: 'date-time',
});

/** A day of the appliance's zone; of a date with a time, the day that it is there. */
export const day = parsedBy('day', 'Give a date as YYYY-MM-DD.', { format: 'date' });

/** What JSON may write a number as. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberFrom<Output>(schema: v.GenericSchema<number, Output>, jsonSchema: JsonSchema) {
  const given = (value: unknown) => (typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value);
  return v.pipe(v.unknown(), described(jsonSchema), v.transform(given), schema as v.GenericSchema<unknown, Output>);
}

export interface Bounds {
  min: number;
  max: number;
}

export function wholeNumber({ min, max }: Bounds) {
  const message = `Give a whole number from ${min} to ${max}.`;
  return numberFrom(
    v.pipe(v.number(message), v.safeInteger(message), v.minValue(min, message), v.maxValue(max, message)),
    { type: 'integer', description: message, minimum: min, maximum: max },
  );
}

export function decimal({ min, max }: Bounds) {
  const message = `Give a number from ${min} to ${max}.`;
  return numberFrom(v.pipe(v.number(message), v.minValue(min, message), v.maxValue(max, message)), {
    type: 'number',
    description: message,
    minimum: min,
    maximum: max,
  });
}

/** Hours on the wire, whole seconds inside: half an hour is `0.5`, at most a year. */
export const hours = (() => {
  const message = 'Give hours from 0.01 (36 seconds) to 8760, a whole number of seconds.';
  const bounded = decimal({ min: 0.01, max: 8_760 });
  return v.pipe(
    bounded,
    described({ ...v.getMetadata(bounded), description: message }),
    // 0.1 h is 360 s, though not to a computer's fractions.
    v.transform(given => Math.round(given * 3_600_000) / 1_000),
    v.integer(message),
  );
})();

export const boolean = v.pipe(
  v.unknown(),
  described({ type: 'boolean', description: 'Give true or false.' }),
  v.transform(value =>
    typeof value === 'string' || typeof value === 'number'
      ? (TRUTH.get(String(value).trim().toLowerCase()) ?? value)
      : value,
  ),
  v.boolean('Give true or false.') as v.GenericSchema<unknown, boolean>,
);

const TRUTH = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const booleanText = parsed(value => TRUTH.get(value.toLowerCase()) ?? null, 'Give true or false.', {
  type: 'boolean',
});

const ID = 'Give the id, a positive whole number.';

export const id = numberFrom(v.pipe(v.number(ID), v.safeInteger(ID), v.minValue(1, ID)), {
  type: 'integer',
  description: ID,
  minimum: 1,
});

export const idText = parsed(positive, ID, { type: 'integer', minimum: 1 });

export const USUAL_PAGE_SIZE = 20;
const LONGEST_PAGE_SIZE = 100;

/** A page's number, 1 where none is given. */
export const pageText = v.pipe(
  v.optional(parsed(positive, 'Give the page, a whole number from 1.', { type: 'integer', minimum: 1 }), '1'),
  described({ default: 1 }),
);

/** Rows of a page; more than 100 is cut to 100. */
export function pageSizeText(byDefault = USUAL_PAGE_SIZE) {
  const size = parsed(
    value => (/^0*[1-9]\d*$/.test(value) ? Math.min(Number(value), LONGEST_PAGE_SIZE) : null),
    `Give the page size, a whole number from 1 to ${LONGEST_PAGE_SIZE}.`,
    { type: 'integer', minimum: 1, maximum: LONGEST_PAGE_SIZE },
  );
  return v.pipe(v.optional(size, String(byDefault)), described({ default: byDefault }));
}

/** Which page of a list. */
export const pages = { page: pageText, page_size: pageSizeText() };

/** Of a list that is a bare array: without a page, all of it up to a number. */
export const slice = { page: v.optional(pageText), page_size: v.optional(pageSizeText()) };

/** An amount in major units of the currency, as a JSON number or a decimal string; never negative. */
export const amount = (() => {
  const message = "Give an amount, not negative, with the currency's decimals at most.";
  return v.pipe(
    v.union([v.number(message), v.string(message)], message),
    described({ anyOf: [{ type: 'number' }, { type: 'string' }], description: message }),
    v.transform(String),
    parsing(message, parserNamed('amount')),
  );
})();

function positive(value: string): number | null {
  const given = /^\d{1,16}$/.test(value) ? Number(value) : 0;
  return given >= 1 && Number.isSafeInteger(given) ? given : null;
}
