/** The whole API as one OpenAPI 3.1 document: requests from the routes' own schemas, replies as they are described. */
import type { Endpoint } from '../../contract/endpoint.ts';
import type { JsonSchema } from '../fields.ts';
import { resourceOf, sendResource } from '../resource.ts';
import type { Route } from '../route.ts';
import { API_ROOT, type Mount } from '../router.ts';
import { JSON_HEADERS } from '../security-headers.ts';
import { fieldsOf, jsonSchemaOf, recordSchemas } from './contracts.ts';
import { errorSchemas } from './failures.ts';
import type { Operation, Operations } from './operation.ts';
import { objectSchema, requestFields } from './requests.ts';
import { components } from './schemas.ts';

export const operations: Operations = {};

/** @throws Error a route that nobody has described */
export function openApiDocument(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    const described = operationOf(route, routes);
    if (described === undefined) throw new Error(`${route.method} ${route.path} is not described.`);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationObject(route, described) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lango',
      version,
      description:
        'Sells Wi-Fi: captive portal, payments, vouchers and a hotspot router. Paths work with and without the ' +
        'trailing slash. Times are ISO 8601 in UTC, phone numbers E.164 with a plus. Clients ignore fields they do not know.',
    },
    servers: [{ url: API_ROOT }],
    paths,
    components: { schemas: { ...components, ...errorSchemas, ...recordSchemas() }, securitySchemes: SECURITY_SCHEMES },
  };
}

/** Served as it was when the appliance started; built when it is first asked for. */
export function openApiMount(routes: readonly Route[], version: string): Mount {
  let resource: ReturnType<typeof resourceOf> | undefined;
  return {
    path: `${API_ROOT}/openapi.json`,
    methods: ['GET'],
    handle(request, response) {
      resource ??= resourceOf(
        { identity: Buffer.from(JSON.stringify(openApiDocument(routes, version))) },
        JSON_HEADERS,
      );
      sendResource(resource, request, response);
    },
  };
}

/** A path and its aliases share one endpoint, and one description. */
function operationOf(route: Route, routes: readonly Route[]): Operation | undefined {
  if ('summary' in route.spec) {
    const { refusals = {}, reply, type, ...contract } = route.spec as unknown as Endpoint;
    const shapes = Object.entries(refusals).map(([status, schema]) => [status, jsonSchemaOf(schema)]);
    return {
      ...contract,
      type: TYPES[type ?? 'json'],
      reply: jsonSchemaOf(reply),
      refusals: Object.fromEntries(shapes),
    } as Operation;
  }
  const names = routes.filter(({ spec }) => spec === route.spec).map(({ method, path }) => `${method} ${path}`);
  const [name] = names.filter(each => Object.hasOwn(operations, each));
  return name === undefined ? undefined : operations[name];
}

const TYPES = {
  json: 'application/json',
  captive: 'application/captive+json',
  csv: 'text/csv',
  events: 'text/event-stream',
};

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The token of a login, or SIMPLE_ADMIN_TOKEN.' },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`Token T` with the token of a login; only together with X-Admin-Access.',
  },
  access: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Admin-Access',
    description: 'The admin_access_token of a login, or SIMPLE_ADMIN_TOKEN.',
  },
};
const ADMIN_SECURITY = [{ bearer: [] }, { token: [], access: [] }, { access: [] }];

function operationObject({ method, path, spec }: Route, operation: Operation): JsonSchema {
  const { body, accepts = 'json' } = spec;
  const bodyFields = body === undefined || body === 'bytes' ? null : fieldsIn(spec, body);
  const isVersioned = bodyFields?.some(field => field.name === 'expected_version') ?? false;
  const parameters = [
    ...parametersIn(spec, 'path', spec.params),
    ...parametersIn(spec, 'query', spec.query),
    ...(isVersioned ? [IF_MATCH] : []),
  ];
  const bodySchema = bodyFields === null ? { type: 'object' } : objectSchema(bodyFields);
  const types = accepts === 'json' ? [JSON_TYPE] : [JSON_TYPE, 'application/x-www-form-urlencoded'];
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/:-]+(.)?/g, (_, first = '') => first.toUpperCase())}`,
    tags: [tagOf(path)],
    summary: operation.summary,
    ...(spec.auth === 'none' ? { security: [] } : { description: `Role: ${spec.auth}.`, security: ADMIN_SECURITY }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: contentOf(types, bodySchema) } }),
    responses: responsesOf(spec, operation),
  };
}

/** Wherever a body may say `expected_version`. */
const IF_MATCH: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The version that the edit was made from, in quotes: the same as expected_version.',
};

const JSON_TYPE = 'application/json';

const contentOf = (types: readonly string[], schema: JsonSchema): JsonSchema =>
  Object.fromEntries(types.map(type => [type, { schema }]));

function fieldsIn(spec: Route['spec'], schema: NonNullable<Route['spec']['query']>) {
  if (!('summary' in spec)) return requestFields(schema);
  const { properties, required = [] } = fieldsOf(schema) as { properties: object; required?: string[] };
  return Object.entries(properties).map(([name, of]) => ({ name, schema: of, required: required.includes(name) }));
}

function parametersIn(spec: Route['spec'], place: 'path' | 'query', schema: Route['spec']['query']): JsonSchema[] {
  if (schema === undefined) return [];
  return fieldsIn(spec, schema).map(field => ({
    name: field.name,
    in: place,
    required: place === 'path' || field.required,
    schema: field.schema,
  }));
}

/** `/admin/users/…` → `users`. */
const tagOf = (path: string): string => path.split('/').filter(part => part !== '' && part !== 'admin')[0] ?? 'admin';

function responsesOf(spec: Route['spec'], operation: Operation): JsonSchema {
  const { status = 200, type = JSON_TYPE, reply, plain = false, refuses = [], refusals = {} } = operation;
  const plainText = plain ? { 'text/plain': { schema: { type: 'string' } } } : {};
  const shape = spec.errors ?? 'api';
  const refusalOf = (code: number) => refusals[code] ?? { $ref: `#/components/schemas/${schemaName(code, shape)}` };
  const statuses = new Set<number>([
    ...refuses,
    ...Object.keys(refusals).map(Number),
    ...(spec.body === undefined && spec.query === undefined && spec.params === undefined ? [] : [400]),
    ...(spec.auth === 'none' ? [] : [403]),
    ...(spec.params === undefined ? [] : [404]),
    ...(spec.limit === undefined ? [] : [429]),
    ...(shape === 'router' && spec.auth !== 'none' ? [500, 503] : []),
  ]);
  const refusedWith = [...statuses].toSorted((a, b) => a - b);
  return {
    [status]: { description: 'Done.', content: { ...contentOf([type], reply), ...plainText } },
    ...Object.fromEntries(
      refusedWith.map(code => [
        code,
        {
          description: MEANINGS[code] ?? 'Refused.',
          content: { ...contentOf([JSON_TYPE], refusalOf(code)), ...plainText },
        },
      ]),
    ),
    default: { description: 'Something went wrong.', content: contentOf([JSON_TYPE], refusalOf(0)) },
  };
}

/** Which schema of a failure a status has, in a shape. */
function schemaName(code: number, shape: NonNullable<Route['spec']['errors']>): keyof typeof errorSchemas {
  if (code === 400) return 'ValidationError';
  if (shape === 'router' && code !== 403) return 'RouterError';
  return shape === 'voucher' && code !== 403 ? 'VoucherError' : 'Error';
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Some fields need attention.',
  401: 'Not logged in.',
  402: 'The payment provider refused.',
  403: 'Not for this caller.',
  404: 'Not there.',
  409: 'Something else came first.',
  410: 'Not valid any more.',
  429: 'Too many requests; Retry-After says how long to wait.',
  500: 'The router refused, in its own words.',
  502: 'The payment provider does not answer.',
  503: 'The router is not configured or does not answer.',
};
