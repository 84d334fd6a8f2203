import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { endpoints } from '../../src/contract/index.ts';
import { createResources } from '../../src/http/resources.ts';
import { startApp } from '../support/app.ts';
import { forbiddenFields } from '../support/secrets.ts';
import { type Tour, takeTour } from '../support/tour.ts';

interface Content {
  schema: object;
}
interface Described {
  operationId: string;
  summary: string;
  security?: object[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content: Record<string, Content> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const namesOf = ({ method, path }: Endpoint) => [path].flat().map(each => `${method} ${each}`);
const pathOf = (template: string) => template.replaceAll(/:([a-z_]+)/g, '{$1}');

/** Formats are checked by their shape alone; that is all they promise here. */
const FORMATS = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, date: /^\d{4}-\d\d-\d\d$/ };

/** Holds replies to the document, and to nothing that the document does not say. */
function validator(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  ajv.addSchema({ ...(closed(document) as object), $id: 'openapi' });
  return (pointer: string, value: unknown): string | null => {
    const validate = ajv.compile({ $ref: `openapi#${pointer}` });
    return validate(value) ? null : ajv.errorsText(validate.errors, { separator: '\n  ' });
  };
}

/** The same with every object closed: a field that nobody described is a fault here, though clients must bear it. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  const isObject = copy['type'] === 'object' && copy['properties'] !== undefined;
  return isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

const escape = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
const pointerTo = (...parts: string[]) => parts.map(part => `/${escape(part)}`).join('');

let tour: Tour;
let document: Document;
test('the tour goes through the whole API', async t => {
  tour = await takeTour(t);
  const { status, body, headers } = await tour.app.get('/api/openapi.json');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'application/json');
  document = body;
});

test('every route of the server is documented, and nothing that is no route', async t => {
  const app = await startApp(t);
  const { routes } = createResources(app.context);
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.toSorted(), routes.map(route => `${route.method} ${pathOf(route.path)}`).toSorted());
  assert.deepEqual(endpoints.flatMap(namesOf).toSorted(), routes.map(keyOf).toSorted(), 'declared, and served');
});

test('the document is of OpenAPI 3.1, with ids of its own, roles, parameters of paths, and a body for every write', () => {
  assert.equal(document.openapi, '3.1.0');
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  assert.equal(new Set(all.map(operation => operation.operationId)).size, all.length);
  for (const { path, parameters = [], summary, responses, security } of all) {
    assert.ok(summary.length > 0 && !summary.endsWith('.'), path);
    const named = [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name);
    const documented = parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name);
    assert.deepEqual(documented, named, path);
    assert.ok('default' in responses, path);
    if (security === undefined || security.length > 0) assert.ok('403' in responses, path);
  }
});

test('every field of a request says what it is, but a confirmation, which is compared as it comes', () => {
  const untold = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ requestBody, parameters = [] }) => {
      const [content] = Object.values(requestBody?.content ?? {});
      const { properties = {} } = (content?.schema ?? {}) as { properties?: Record<string, object> };
      const fields = [...Object.entries(properties), ...parameters.map(({ name, schema }) => [name, schema] as const)];
      return fields.filter(([, schema]) => Object.keys(schema).length === 0).map(([name]) => `${path} ${name}`);
    }),
  );
  assert.deepEqual(untold.toSorted(), ['/admin/router/plan/apply/ confirm', '/admin/router/reboot/ confirm']);
});

test('every reference of the document leads somewhere', () => {
  const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([A-Za-z]+)"/g)].map(
    ([, name]) => name!,
  );
  assert.ok(names.length > 50);
  for (const name of names) assert.ok(name in document.components.schemas, name);
  const ajv = new Ajv2020({ strict: false, formats: FORMATS });
  ajv.addSchema({ ...document, $id: 'openapi' });
  for (const name of Object.keys(document.components.schemas)) {
    ajv.compile({ $ref: `openapi#${pointerTo('components', 'schemas', name)}` });
  }
});

test('every documented operation was called, and each reply is what the document says, no more and no less', () => {
  const check = validator(document);
  const problems: string[] = [];
  for (const { operation, status, headers, body } of tour.visits) {
    const [method = '', template = ''] = operation.split(' ');
    const path = pathOf(template);
    const described = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
    const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
    if (described?.content[type] === undefined) {
      problems.push(`${operation}: ${status} ${type} is not documented`);
      continue;
    }
    const pointer = pointerTo(
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      type,
      'schema',
    );
    const problem = check(pointer, body);
    if (problem !== null) problems.push(`${operation}: ${status}\n  ${problem}`);
  }
  assert.deepEqual(problems, []);
  const called = new Set(tour.visits.map(visit => visit.operation));
  assert.deepEqual(
    endpoints.map(namesOf).filter(names => !names.some(name => called.has(name))),
    [],
    'never called',
  );
});

test('refusals are what the document says as well', async t => {
  const app = await startApp(t);
  const check = validator(document);
  const problems: string[] = [];
  for (const { method, path, auth } of createResources(app.context).routes) {
    const concrete = path.replaceAll(/:[a-z_]+/g, name => (name === ':phone_number' ? '0712345678' : '999999'));
    const answers = [
      await app.send(method, `/api${concrete}`, undefined, {}),
      ...(auth === 'none' || path === '/admin/events/'
        ? []
        : [await app.send(method, `/api${concrete}`, method === 'GET' ? undefined : {}, app.admin)]),
    ];
    for (const { status, headers, body } of answers.filter(answer => answer.status >= 400)) {
      const documented = document.paths[pathOf(path)]?.[method.toLowerCase()]?.responses ?? {};
      const name = String(status) in documented ? String(status) : 'default';
      const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
      const pointer = pointerTo(
        'paths',
        pathOf(path),
        method.toLowerCase(),
        'responses',
        name,
        'content',
        type,
        'schema',
      );
      if (name === 'default') problems.push(`${method} ${path}: ${status} is not documented`);
      const problem = check(pointer, body);
      if (problem !== null) problems.push(`${method} ${path}: ${status}\n  ${problem}\n  ${JSON.stringify(body)}`);
    }
    app.clock.advance(60_000);
  }
  assert.deepEqual(problems, []);
});

test('no reply and no line of the log tells a password, a token, a key or a code, but for the one that must', () => {
  assert.ok(tour.secrets.length > 20);
  for (const { value, toldBy } of tour.secrets) {
    const tellers = tour.visits.filter(({ body, headers }) =>
      `${JSON.stringify(body)}${JSON.stringify([...headers])}`.includes(value),
    );
    const operationsThatTell = new Set(tellers.map(visit => visit.operation));
    assert.deepEqual([...operationsThatTell], toldBy === null ? [] : [toldBy], value);
    assert.ok(!tour.app.logged.some(line => line.includes(value)), `${value} is in the log`);
  }
});

test('no reply has a field for a secret, but that of a login', () => {
  for (const { operation, body } of tour.visits) {
    const isLogin = ['POST /auth/login/', 'POST /auth/setup/'].includes(operation);
    assert.deepEqual(forbiddenFields(body), isLogin ? ['token', 'admin_access_token'] : [], operation);
  }
});

test('the document is told apart by its ETag, and asked for by its exact path only', async t => {
  const app = await startApp(t);
  const first = await app.get('/api/openapi.json');
  const etag = first.headers.get('etag') ?? '';
  assert.equal((await app.get('/api/openapi.json', { 'if-none-match': etag })).status, 304);
  assert.equal((await app.get('/api/openapi.yaml')).status, 404);
  assert.equal((await app.post('/api/openapi.json')).status, 405);
});

test('where an edit may name its version, If-Match and the conflict are told', () => {
  for (const path of ['/admin/users/{user_id}/update/', '/admin/bundles/{bundle_id}/']) {
    const { parameters = [], responses } = document.paths[path]!['put']!;
    assert.deepEqual(
      [parameters.some(each => each.name === 'If-Match' && each.in === 'header'), '409' in responses],
      [true, true],
      path,
    );
  }
  const others = Object.values(document.paths).flatMap(methods => Object.values(methods));
  assert.equal(others.filter(({ parameters = [] }) => parameters.some(each => each.in === 'header')).length, 2);
});
