import { issue } from '@milepost/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startI18n } from '../base/i18n.ts';
import { loadProblemTexts } from '../base/language/problem-texts.ts';
import { changedFields, changedValues, messagesFor, messagesOf } from './field-messages.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);

const schema = z.object({
  userName: z
    .string()
    .min(3)
    .regex(/^[a-z]+$/, issue('user-name')),
  home: z.object({ zone: z.string().min(1, issue('time-zone')) }),
});

describe('[R5.03] the messages of a form', () => {
  it('of one thing in a list stand beside the field of the list', () => {
    const lists = z.object({ tags: z.array(z.string().max(3, issue('tag-length', { max: 3 }))) });
    expect(messagesFor(lists, { tags: ['ice', 'frozen', 'reefers'] })).toEqual({
      tags: 'Enter a tag of up to 3 characters.',
    });
  });

  it('come from the contract’s schema, the first of each field, nested fields by their path', () => {
    expect(messagesFor(schema, { userName: '1', home: { zone: '' } })).toEqual({
      userName: 'Use at least 3 characters.',
      'home.zone': 'Choose a time zone from the list.',
    });
    expect(messagesFor(schema, { userName: 'nora', home: { zone: 'UTC' } })).toEqual({});
  });

  it('what belongs to no field stands under the empty name', () => {
    expect(messagesOf([{ field: '', message: 'Choose one of both.' }])).toEqual({ '': 'Choose one of both.' });
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
