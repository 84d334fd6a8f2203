/** What a reply must look like: exactly these fields, each of this kind, and none besides. */
import assert from 'node:assert/strict';

export type Kind = (value: unknown) => boolean;
/** A kind, a literal, a list of one shape, or an object of shapes. */
export type Shape = Kind | string | number | boolean | null | readonly [Shape] | { readonly [field: string]: Shape };

export const integer: Kind = value => Number.isSafeInteger(value);
export const number: Kind = value => typeof value === 'number';
export const string: Kind = value => typeof value === 'string' && value !== '';
export const text: Kind = value => typeof value === 'string';
export const boolean: Kind = value => typeof value === 'boolean';
/** ISO 8601 in UTC with `Z`. */
export const instant: Kind = value =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value));
/** Decimal text with the two decimals of TZS. */
export const amount: Kind = value => typeof value === 'string' && /^\d+\.\d\d$/.test(value);
export const voucherCode: Kind = value =>
  typeof value === 'string' && /^([2-9A-HJKMNP-Z]{4}-){2}[2-9A-HJKMNP-Z]{4}$/.test(value);
export const token: Kind = value => typeof value === 'string' && /^[\w-]{43}$/.test(value);

export function assertShape(value: unknown, shape: Shape, path = 'body'): void {
  if (typeof shape === 'function') {
    assert.ok(shape(value), `${path} is ${JSON.stringify(value)}, not ${shape.name || 'of its kind'}`);
  } else if (Array.isArray(shape)) {
    assert.ok(Array.isArray(value), `${path} is no array`);
    for (const [index, item] of value.entries()) assertShape(item, shape[0], `${path}[${index}]`);
  } else if (typeof shape === 'object' && shape !== null) {
    assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `${path} is no object`);
    const fields = shape as { readonly [field: string]: Shape };
    assert.deepEqual(Object.keys(value).toSorted(), Object.keys(fields).toSorted(), `fields of ${path}`);
    for (const [field, inner] of Object.entries(fields)) {
      assertShape((value as Record<string, unknown>)[field], inner, `${path}.${field}`);
    }
  } else {
    assert.equal(value, shape, path);
  }
}

/** The body shapes of errors. See docs/interface.md: Errors. */
export const errors = {
  api: { error: string, message: string },
  payment: (code: string) => ({ error: string, message: string, code }),
  voucher: (code: string) => ({ success: false, error: string, message: string, code }),
  action: { success: false, error: string, message: string },
  routerAuth: { error: string, 'auth-state': 0, success: false, message: string },
  unauthenticated: { detail: string, error: string, message: string },
} as const;

/** A refusal of fields, which names exactly these and says something about each. */
export function assertInvalid(answer: { status: number; body: unknown }, ...fields: string[]): void {
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  const { error, details } = answer.body as { error: unknown; details: Record<string, string[]> };
  assert.ok(string(error), 'error');
  assert.deepEqual(Object.keys(details).toSorted(), fields.toSorted(), 'fields of details');
  for (const messages of Object.values(details)) {
    assert.ok(Array.isArray(messages) && messages.length > 0 && messages.every(string), JSON.stringify(messages));
  }
}
