import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenAt, inputOf, type KeptEntry, newEntry } from './entry.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const NOON = Date.parse('2026-11-26T12:00:00Z');

function chain(moments: readonly number[]): KeptEntry[] {
  const entries: KeptEntry[] = [];
  for (const [index, ms] of moments.entries()) {
    const last = entries.at(-1);
    const end = last ? { ...last, atMs: Date.parse(last.at) } : null;
    entries.push(newEntry('7', id(index), ms, { kind: 'status', status: 'ON', note: `n${index}` })(end));
  }
  return entries;
}
const jumps = fc.array(fc.integer({ min: -1e10, max: 1e10 }), { minLength: 1, maxLength: 20 });

describe('entries on the phone', () => {
  it('are in order, whatever the clock does, and a whole chain', () => {
    fc.assert(
      fc.property(jumps, steps => {
        const entries = chain(steps.map(step => NOON + step));
        expect(entries.map(({ position }) => position)).toEqual(steps.map((_, index) => index));
        expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
        expect(brokenAt(entries)).toBeNull();
        // Also after the oldest entries were deleted.
        expect(brokenAt(entries.slice(Math.floor(entries.length / 2)))).toBeNull();
      }),
    );
  });

  it('show any change, gap or swap', () => {
    fc.assert(
      fc.property(jumps, fc.nat(), fc.constantFrom('text', 'moment', 'gap', 'swap'), (steps, n, how) => {
        const entries = chain(steps.map(step => NOON + step));
        const at = n % entries.length;
        const entry = entries[at]!;
        const changed = {
          text: () => entries.with(at, { ...entry, action: { kind: 'status', status: 'OFF', note: '' } }),
          moment: () => entries.with(at, { ...entry, at: new Date(Date.parse(entry.at) - 1).toISOString() }),
          gap: () => entries.toSpliced(at, 1),
          swap: () => (entries[at + 1] ? entries.with(at, entries[at + 1]!).with(at + 1, entry) : null),
        }[how]();
        // Removing the first or last entry can't be noticed: old entries are deleted anyway, and the server has the
        // others.
        if (!changed || (how === 'gap' && (at === 0 || at === entries.length - 1))) return;
        expect(brokenAt(changed)).not.toBeNull();
      }),
    );
  });

  it('of a clock that was ahead are sent with the server’s moment', () => {
    const [entry] = chain([NOON]);
    expect(inputOf(entry!, NOON - 5000).at).toBe('2026-11-26T11:59:55.000Z');
    expect(inputOf(entry!, NOON + 5000).at).toBe('2026-11-26T12:00:00.000Z');
    expect(inputOf(entry!, null).at).toBe('2026-11-26T12:00:00.000Z');
  });
});
