import { ALL_ROUTES, PROBLEMS, type ProblemCode, ROUTES } from '@milepost/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: object }>>;
}

const document = openApiDocument('1.2.3');
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;

function operationOf(name: string): Operation {
  const route = ROUTES[name];
  const operation = route && paths[route.path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${name} is not in the document.`);
  return operation;
}

it('is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

it('has every route of the contract, once, under its name', () => {
  const operations = Object.values(paths).flatMap(path => Object.values(path));
  expect(operations.map(operation => operation.operationId).sort()).toEqual(Object.keys(ROUTES).sort());
  expect(operations).toHaveLength(ALL_ROUTES.length);
});

it('has no dangling references', () => {
  const text = JSON.stringify(document);
  const { schemas } = document.components as { readonly schemas: object };
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1]);
  expect(references.length).toBeGreaterThan(0);
  for (const reference of references)
    expect(Object.keys(schemas).map(name => `#/components/schemas/${name}`)).toContain(reference);
  expect(text).not.toContain('$defs');
});

describe.each(Object.entries(ROUTES))('%s', (name, route) => {
  const operation = operationOf(name);

  it('says which routes need a token', () => {
    expect(operation.security).toEqual(route.access === 'public' ? [] : [{ bearer: [] }]);
  });

  it('lists problems by status', () => {
    const codes: ProblemCode[] = ['internal', ...(route.problems ?? [])];
    if (route.access !== 'public') codes.push('not-signed-in', 'session-ended');
    for (const code of codes) {
      const response = operation.responses[PROBLEMS[code].status];
      expect(response?.description).toContain(`\`${code}\``);
      expect(Object.keys(response?.content ?? {})).toEqual(['application/problem+json']);
    }
  });

  it('lists parameters', () => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
    const described = (operation.parameters ?? []).filter(parameter => parameter.in === 'path');
    expect(described.map(parameter => [parameter.name, parameter.required])).toEqual(inPath.map(name => [name, true]));
  });
});

it('says what is optional, and the media type of a file', () => {
  expect(operationOf('listPositions').parameters?.map(({ name, required }) => [name, required])).toEqual([
    ['deviceId', true],
    ['from', true],
    ['to', true],
  ]);
  expect(operationOf('importVehicles').parameters).toMatchObject([{ name: 'dryRun', required: false }]);
  expect(Object.keys(operationOf('importVehicles').requestBody?.content ?? {})).toEqual(['text/csv']);
});
