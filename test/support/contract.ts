/** Holds replies to what their endpoints declare: no more, no less. */
import assert from 'node:assert/strict';
import * as v from 'valibot';

import { failureOf } from '../../src/contract/failures.ts';
import { endpoints } from '../../src/contract/index.ts';

const DECLARED = endpoints.flatMap(endpoint =>
  [endpoint.path].flat().map(path => ({ endpoint, pattern: patternOf(path) })),
);

function patternOf(path: string): RegExp {
  return new RegExp(`^/api${path.replaceAll(/:[a-z_]+/g, '[^/]+').replace(/\/$/, '')}/?$`);
}

/** @param body parsed JSON; text is not looked at */
export function assertDeclared(method: string, url: string, answer: { status: number; body: unknown }): void {
  const { status, body } = answer;
  if (typeof body !== 'object' || body === null) return;
  const path = new URL(url).pathname;
  const found = DECLARED.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
  if (found === undefined || status === 413 || status === 415) return;
  // Where somebody asks from outside the admin networks.
  if (status === 404 && (body as { message?: string }).message === 'There is nothing at this path.') return;
  const { endpoint } = found;
  const schema =
    status < 300 ? endpoint.reply : (endpoint.refusals?.[status] ?? failureOf(status, endpoint.errors ?? 'api'));
  const name = `${method} ${path.slice(0, 60)}: ${status}`;
  const { issues, output } = v.safeParse(schema, body);
  assert.equal(issues, undefined, `${name}\n${issues && JSON.stringify(v.flatten(issues)).slice(0, 500)}`);
  // What the schema does not know, it leaves away.
  assert.deepEqual(body, output, `${name} tells what is not declared`);
}
