import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changedFields, changedValues, messagesFor, messagesOf } from './field-messages.ts';

const schema = z.object({
  userName: z
    .string()
    .min(3, 'Use at least 3 letters.')
    .regex(/^[a-z]+$/, 'Use letters.'),
  home: z.object({ zone: z.string().min(1, 'Choose a time zone.') }),
});

describe('[R5.03] the messages of a form', () => {
  it('come from the contract’s schema, the first of each field, nested fields by their path', () => {
    expect(messagesFor(schema, { userName: '1', home: { zone: '' } })).toEqual({
      userName: 'Use at least 3 letters.',
      'home.zone': 'Choose a time zone.',
    });
    expect(messagesFor(schema, { userName: 'nora', home: { zone: 'UTC' } })).toEqual({});
  });

  it('what belongs to no field stands under the empty name', () => {
    expect(messagesOf([{ path: [], message: 'Choose one of both.' }])).toEqual({ '': 'Choose one of both.' });
  });
});

describe('the changes of a form', () => {
  it.each([
    [{ a: 'x', b: 1 }, { a: 'x', b: 1 }, []],
    [{ a: 'x', b: 1 }, { a: 'y', b: 1 }, ['a']],
    [{ a: ['1', '2'] }, { a: ['1', '2'] }, []],
    [{ a: ['1', '2'] }, { a: ['2', '1'] }, ['a']],
    [{ a: null }, { a: '' }, ['a']],
    [{ a: { b: 1 } }, { a: { b: 2 } }, ['a']],
  ])('%j to %j changes %j', (initial, values, changed) => {
    expect(changedFields<Record<string, unknown>>(initial, values)).toEqual(changed);
  });

  it('are sent without what is as it was, emptied fields and lists among them', () => {
    const initial = { name: 'Dispatch', notes: 'North', permissions: ['fleet.read'] };
    expect(changedValues(initial, { ...initial })).toEqual({});
    expect(changedValues(initial, { ...initial, notes: '', permissions: [] })).toEqual({ notes: '', permissions: [] });
  });
});
