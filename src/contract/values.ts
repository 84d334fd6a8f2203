/** The values that replies hold. */
import * as v from 'valibot';

export const string = v.string();
export const boolean = v.boolean();
export const number = v.number();
export const integer = v.pipe(v.number(), v.integer());
export const id = integer;

/** ISO 8601 in UTC with milliseconds: `2026-11-21T10:00:00.000Z`. */
export const instant = v.pipe(v.string(), v.isoTimestamp());

/** `2026-11-21` */
export const day = v.pipe(v.string(), v.isoDate());

/** In major units, with the decimals of the currency: `1000.00`. */
export const amount = v.pipe(v.string(), v.regex(/^-?\d+(\.\d+)?$/));

/** E.164 with its plus: `+255712345678`. */
export const phone = v.pipe(v.string(), v.regex(/^\+\d{6,15}$/));

/** `A4:83:E7:12:34:56` */
export const mac = v.pipe(v.string(), v.regex(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/));

/** JSON that others sent: `v.record` would leave out names such as `__proto__`. */
export const json = v.pipe(
  v.custom<Record<string, unknown>>(value => typeof value === 'object' && value !== null),
  v.metadata({ type: 'object', additionalProperties: true }),
);

/** A field that some replies leave out. */
export const optional = <const S extends v.GenericSchema>(schema: S) => v.exactOptional(schema);

export const Pagination = v.object({ total: integer, page: integer, page_size: integer, total_pages: integer });
export type Pagination = v.InferOutput<typeof Pagination>;
