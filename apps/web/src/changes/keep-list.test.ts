import { ProblemError } from '@milepost/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../base/queries.ts';
import { keepList, merged } from './keep-list.ts';

vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', new EventTarget());
});

const KEY = ['things'];
const thing = (id: string, name = id) => ({ id, name });
type Thing = ReturnType<typeof thing>;

const names = () => queryClient.getQueryData<readonly Thing[]>(KEY)?.map(({ name }) => name);
const missing = () => Promise.reject(new ProblemError({ type: '', title: '', status: 404, code: 'not-found' }));

afterEach(() => queryClient.clear());

describe('a list that is kept thing by thing', () => {
  it('has each changed thing in its place, without those that are gone, and new ones last', () => {
    const read = new Map([
      ['b', thing('b', 'B')],
      ['c', null],
      ['e', thing('e')],
      ['f', null],
    ]);
    expect(merged([thing('a'), thing('b'), thing('c'), thing('d')], read).map(({ name }) => name)).toEqual([
      'a',
      'B',
      'd',
      'e',
    ]);
  });

  it('asks for what was changed and for nothing else', async () => {
    queryClient.setQueryData(KEY, [thing('a'), thing('b')]);
    const asked: string[] = [];
    await keepList(KEY, new Set(['b']), async id => {
      asked.push(id);
      return thing(id, 'changed');
    });
    expect(asked).toEqual(['b']);
    expect(names()).toEqual(['a', 'changed']);
    await keepList(KEY, new Set(['a']), missing);
    expect(names()).toEqual(['changed']);
  });

  it('is left alone while nobody has read it', async () => {
    expect(await keepList(KEY, new Set(['a']), () => expect.fail('Nobody shows it'))).toBeNull();
    expect(names()).toBeUndefined();
  });

  it('is not overtaken by an answer that was on its way before the change', async () => {
    const { promise: slow, resolve } = Promise.withResolvers<readonly Thing[]>();
    queryClient.setQueryData(KEY, [thing('a', 'first')]);
    const reading = queryClient.fetchQuery({ queryKey: KEY, queryFn: () => slow, staleTime: 0 });
    const kept = keepList(KEY, new Set(['a']), async id => thing(id, 'newest'));
    resolve([thing('a', 'from before')]);
    await Promise.all([reading, kept]);
    expect(names()).toEqual(['newest']);
  });

  it('is read as a whole where much was changed, or it is not known what', async () => {
    queryClient.setQueryData(KEY, [thing('a')]);
    const one = () => expect.fail('One by one is too many');
    await keepList(KEY, new Set(Array.from({ length: 21 }, (_, n) => String(n))), one);
    expect(queryClient.getQueryState(KEY)?.isInvalidated).toBe(true);
    queryClient.setQueryData(KEY, [thing('a')]);
    await keepList(KEY, new Set([null]), one);
    expect(queryClient.getQueryState(KEY)?.isInvalidated).toBe(true);
  });

  it('is read again later where the connection is troubled', async () => {
    queryClient.setQueryData(KEY, [thing('a')]);
    await keepList(KEY, new Set(['a']), () => Promise.reject(new Error('no answer')));
    expect(names()).toEqual(['a']);
    expect(queryClient.getQueryState(KEY)?.isInvalidated).toBe(true);
  });
});
