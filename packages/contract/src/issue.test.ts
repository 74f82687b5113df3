import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrorOf } from './field-error.ts';
import { FIELD_PROBLEMS } from './field-problems.ts';
import { issue, problemOfIssue } from './issue.ts';

const problemsOf = (schema: z.ZodType, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(problemOfIssue);

describe('a schema error', () => {
  it('has the code and the params that the schema gives, whatever they contain', () => {
    const param = fc.oneof(
      fc.integer(),
      fc.string().filter(text => !/^-?\d+(\.\d+)?$/.test(text)),
    );
    fc.assert(
      fc.property(param, name => {
        const [problem] = problemsOf(z.string().min(9, issue('unknown-field', { name })), 'short');
        expect(problem).toEqual({ code: 'unknown-field', params: { name } });
      }),
    );
  });

  it.each<[z.ZodType, unknown, object]>([
    [z.string(), undefined, { code: 'required', params: {} }],
    [z.string(), 5, { code: 'invalid', params: {} }],
    [z.string().min(1), '', { code: 'required', params: {} }],
    [z.string().min(3), 'a', { code: 'min-length', params: { min: 3 } }],
    [z.string().max(3), 'abcd', { code: 'max-length', params: { max: 3 } }],
    [z.number().min(3), 1, { code: 'at-least', params: { min: 3 } }],
    [z.number().max(3), 4, { code: 'at-most', params: { max: 3 } }],
    [z.array(z.string()).min(2), [], { code: 'too-few', params: { min: 2 } }],
    [z.array(z.string()).max(1), ['a', 'b'], { code: 'too-many', params: { max: 1 } }],
    [z.enum(['a', 'b']), 'c', { code: 'invalid-choice', params: {} }],
    [z.strictObject({}), { moon: 1 }, { code: 'unknown-field', params: { name: 'moon' } }],
  ])('has a general code if the schema gives none: %#', (schema, value, expected) => {
    const [problem] = problemsOf(schema, value);
    expect(problem).toEqual(expected);
    expect(FIELD_PROBLEMS).toHaveProperty(problem?.code ?? '');
  });

  it('reaches the API with its field, its message and its params', () => {
    const schema = z.object({
      stops: z.array(z.object({ name: z.string().max(2, issue('name-length', { max: 2 })) })),
    });
    const [found] = schema.safeParse({ stops: [{ name: 'Dock 4' }] }).error?.issues ?? [];
    expect(found && fieldErrorOf(found)).toEqual({
      field: 'stops.0.name',
      code: 'name-length',
      params: { max: 2 },
      message: 'Enter a name of up to 2 characters.',
    });
  });
});

it('schemas report errors by code, not with their own messages', () => {
  const folder = new URL('./', import.meta.url).pathname;
  const sentence =
    /\.(min|max|int|regex|refine|positive|file|enum|email|uuid|date)\([^\n]*, ?['"`][A-Z][a-z ][^\n]*\)|error: ['"`][A-Z][a-z ]/;
  const files = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', 'messaging.ts'] });
  expect(files.filter(file => sentence.test(readFileSync(folder + file, 'utf8')))).toEqual([]);
});
