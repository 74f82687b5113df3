import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RegistryView, toggled, viewOf, withView } from './registry-url.ts';

const FILTERS = ['role', 'factor'];
const EMPTY: RegistryView = { query: '', filters: {}, sort: null, open: null };

describe('the address of a registry page', () => {
  it('holds search, filters, order and the open row, and reads them back', () => {
    const word = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
    const views = fc.record({
      query: fc.string({ maxLength: 12 }),
      filters: fc
        .record({
          role: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
          factor: fc.uniqueArray(word, { minLength: 1 }),
        })
        .map((all): RegistryView['filters'] => all),
      sort: fc.option(fc.record({ column: fc.stringMatching(/^[a-z]{1,8}$/), descending: fc.boolean() })),
      open: fc.option(fc.stringMatching(/^[1-9]\d{0,5}$/)),
    });
    fc.assert(
      fc.property(views, view => {
        const address = withView(new URLSearchParams('other=kept'), view, FILTERS);
        expect(viewOf(new URLSearchParams(address.toString()), FILTERS)).toEqual(view);
        expect(address.get('other')).toBe('kept');
      }),
    );
  });

  it('says nothing where everything is at its default', () => {
    expect(withView(new URLSearchParams('q=x&role=admin&sort=-name&open=4'), EMPTY, FILTERS).toString()).toBe('');
  });

  it.each(['q', 'sort=--x', 'sort=', 'role=,,', 'open'])('is read even when it makes no sense: %s', address => {
    expect(viewOf(new URLSearchParams(address), FILTERS)).toMatchObject({ query: '', filters: {}, sort: null });
  });

  it('a value goes into its filter and out again', () => {
    const one = toggled({}, 'role', 'admin');
    expect(one).toEqual({ role: ['admin'] });
    const two = toggled(one, 'role', 'viewer');
    expect(two).toEqual({ role: ['admin', 'viewer'] });
    expect(toggled(one, 'role', 'admin')).toEqual({});
  });
});
