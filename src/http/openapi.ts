/** The whole API as one OpenAPI 3.1 document, made from the contract that the routes serve. */
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';

import { failureOf } from '../contract/failures.ts';
import type { JsonSchema } from '../contract/fields.ts';
import { records } from '../contract/index.ts';
import { resourceOf, sendResource } from './resource.ts';
import type { Route } from './route.ts';
import { API_ROOT, type Mount } from './router.ts';
import { JSON_HEADERS } from './security-headers.ts';

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

export function openApiDocument(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
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
    components: { schemas: toJsonSchemaDefs(definitions, CONVERSION), securitySchemes: SECURITY_SCHEMES },
  };
}

// ------------------------------------------------------------------------------------------- operations

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

function operationOf(route: Route): JsonSchema {
  const { method, path, summary, auth, params, query, body, accepts = 'json' } = route;
  const fields = typeof body === 'object' ? fieldsOf(body) : { type: 'object', properties: {} };
  const parameters = [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...('expected_version' in fields.properties ? [IF_MATCH] : []),
  ];
  const types = accepts === 'json' ? [TYPES.json] : [TYPES.json, 'application/x-www-form-urlencoded'];
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/:-]+(.)?/g, (_, first = '') => first.toUpperCase())}`,
    tags: [tagOf(path)],
    summary,
    ...(auth === 'none' ? { security: [] } : { description: `Role: ${auth}.`, security: ADMIN_SECURITY }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: contentOf(types, fields) } }),
    responses: responsesOf(route),
  };
}

/** `/admin/users/…` → `users`. */
const tagOf = (path: string): string => path.split('/').filter(part => part !== '' && part !== 'admin')[0] ?? 'admin';

/** Wherever a body may say `expected_version`. */
const IF_MATCH: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The version that the edit was made from, in quotes: the same as expected_version.',
};

function parametersIn(place: 'path' | 'query', schema: v.GenericSchema | undefined): JsonSchema[] {
  if (schema === undefined) return [];
  const { properties, required = [] } = fieldsOf(schema);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: field,
  }));
}

const TYPES = {
  json: 'application/json',
  captive: 'application/captive+json',
  csv: 'text/csv',
  events: 'text/event-stream',
};

const contentOf = (types: readonly string[], schema: JsonSchema): JsonSchema =>
  Object.fromEntries(types.map(type => [type, { schema }]));

function responsesOf(route: Route): JsonSchema {
  const { auth, params, query, body, limit, errors = 'api', plain = false, refuses = [], refusals = {} } = route;
  const plainText = plain ? { 'text/plain': { schema: { type: 'string' } } } : {};
  const failure = (code: number) => contentOf([TYPES.json], jsonSchemaOf(refusals[code] ?? failureOf(code, errors)));
  const statuses = new Set<number>([
    ...refuses,
    ...Object.keys(refusals).map(Number),
    ...(body === undefined && query === undefined && params === undefined ? [] : [400]),
    ...(auth === 'none' ? [] : [403]),
    ...(params === undefined ? [] : [404]),
    ...(limit === undefined ? [] : [429]),
    ...(errors === 'router' && auth !== 'none' ? [500, 503] : []),
  ]);
  const success = contentOf([TYPES[route.type ?? 'json']], jsonSchemaOf(route.reply));
  return {
    [route.status ?? 200]: { description: 'Done.', content: { ...success, ...plainText } },
    ...Object.fromEntries(
      [...statuses]
        .toSorted((a, b) => a - b)
        .map(code => [
          code,
          { description: MEANINGS[code] ?? 'Refused.', content: { ...failure(code), ...plainText } },
        ]),
    ),
    default: { description: 'Something went wrong.', content: failure(0) },
  };
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

// ---------------------------------------------------------------------------------------------- schemas

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

const definitions: Record<string, v.GenericSchema> = records;

interface ObjectSchema extends JsonSchema {
  properties: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
}

/** The fields of a body, query or path, those of other names among them. */
function fieldsOf(schema: v.GenericSchema): ObjectSchema {
  const { aliases = {}, fields = schema } = v.getMetadata(schema) as {
    aliases?: Readonly<Record<string, string>>;
    fields?: v.GenericSchema;
  };
  const { properties, required = [], ...converted } = jsonSchemaOf(fields) as ObjectSchema;
  const others = Object.entries(aliases).map(([alias, name]) => [
    alias,
    { type: 'string', description: `Another name of ${name}.` },
  ]);
  // Who knows a field under its other name sends that.
  const needed = required.filter(name => !Object.values(aliases).includes(name));
  return {
    ...converted,
    properties: { ...properties, ...Object.fromEntries(others) },
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

/** Fields say of themselves what may be sent; of replies, the schema says it all. */
function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...CONVERSION, definitions });
  return converted;
}
