import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';

/** What a form of the portal's document is sent with from there. */
export async function formKey(app: TestApp, headers?: Record<string, string>): Promise<string> {
  const { body } = await app.get('/', headers);
  return /name=key value=([\w-]+)>/.exec(body)?.[1] ?? assert.fail('the document has no key');
}
