import { PROBLEMS, type ProblemCode, problemSchema, ROUTES, type Route } from '@milepost/contract';
import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** Problems that any route can answer, by its access. */
const PROBLEMS_OF_ALL: readonly ProblemCode[] = ['server-full', 'database-unreachable', 'database-busy', 'internal'];
const PROBLEMS_OF_SESSIONS: readonly ProblemCode[] = [
  'not-signed-in',
  'session-ended',
  'token-ended',
  'too-many-requests',
];

/** The contract as an OpenAPI 3.1 document: the same schemas that validate every request and answer. */
export function openApiDocument(version: string): JsonObject {
  const schemas: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  const toJson = (schema: z.ZodType, io: 'input' | 'output') => jsonSchema(schema, io, schemas);
  toJson(problemSchema, 'output');

  for (const [name, route] of Object.entries(ROUTES)) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operation(name, route, toJson) });
  }

  return {
    openapi: '3.1.1',
    info: {
      title: 'Milepost',
      version,
      description:
        'Fleet and vehicle tracking. Sign in with `POST /api/v1/signin` and send the token as `Authorization: Bearer …`. ' +
        'Every failure is an RFC 9457 problem; its `code` is stable. Units on the wire: km/h, km, °C, percent; times are UTC.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(Object.values(ROUTES).map(route => route.tag))].map(tag => ({ name: tag })),
    paths,
    components: {
      schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The token returned by `signin`' } },
    },
  };
}

const STREAMS: ReadonlySet<Route['bodyType']> = new Set([
  'application/x-ndjson',
  'application/vnd.pmtiles',
  'application/octet-stream',
] as const);
const FILE = { type: 'string', format: 'binary' } as const;

type ToJson = (schema: z.ZodType, io: 'input' | 'output') => JsonObject;

function operation(name: string, route: Route, toJson: ToJson): JsonObject {
  const parameters = [...parametersOf(route.params, 'path', toJson), ...parametersOf(route.query, 'query', toJson)];
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    security: route.access === 'public' ? [] : [{ bearer: [] }],
    ...(route.access !== 'public' &&
      route.access !== 'signed-in' && { description: `Needs the permission \`${route.access}\`.` }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          [route.bodyType ?? 'application/json']: {
            // A stream can't be described by a schema.
            schema: STREAMS.has(route.bodyType) ? FILE : toJson(route.body, 'input'),
          },
        },
      },
    }),
    responses: {
      [route.status ?? 200]: {
        description: 'OK',
        content: route.responseType
          ? { [route.responseType]: { schema: FILE } }
          : { 'application/json': { schema: toJson(route.response, 'output') } },
      },
      ...(route.conditional && { 304: { description: 'Nothing has changed since `If-None-Match`.' } }),
      ...problemResponses(route),
    },
  };
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', toJson: ToJson): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJson(schema, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

function problemResponses(route: Route): JsonObject {
  const codes = new Set<ProblemCode>([
    ...(route.query || route.body ? (['invalid-input'] as const) : []),
    ...(route.access === 'public' ? [] : PROBLEMS_OF_SESSIONS),
    ...(route.access === 'public' || route.access === 'signed-in'
      ? []
      : (['not-allowed', 'token-not-allowed', 'read-only'] as const)),
    ...(route.problems ?? []),
    ...PROBLEMS_OF_ALL,
  ]);
  const byStatus = Map.groupBy(codes, code => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => [
      String(status),
      {
        description: codesOfStatus.map(code => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

/** The JSON Schema of a Zod schema; named ones move to the document's components. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', components: JsonObject): JsonObject {
  const json = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Responses may gain members, which a client must not refuse.
      if (io === 'output') delete jsonSchema.additionalProperties;
      // `format` says the same, and both people and tools understand it.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  const { $schema: _dialect, $defs: named, ...rest } = relocate(json);
  Object.assign(components, named);
  return rest;
}

function relocate(json: unknown): JsonObject {
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
