import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded, textOf, writeCalendar } from './ics.ts';

describe('[N14] iCalendar', () => {
  it('folds lines after at most 75 octets, never within a character, and loses nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), text => {
        const line = text.replace(/[\r\n]/g, '');
        const lines = folded(line).split('\r\n');
        for (const each of lines) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(75);
        expect(lines.join('\r\n').replaceAll('\r\n ', '')).toBe(line);
        expect(folded(line).isWellFormed()).toBe(true);
      }),
    );
  });

  it('escapes what has a meaning, and keeps no control characters', () => {
    expect(textOf('Brakes; oil, \\ and\r\nfilters\u0007\u0000')).toBe('Brakes\\; oil\\, \\\\ and\\nfilters');
  });

  it('can’t be broken out of by a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
        const event = { uid: 'a@b', when: { day: '2026-12-31' }, changedAt: new Date(0) };
        const lines = writeCalendar(text, [{ ...event, summary: text, description: text, location: text }])
          .replaceAll('\r\n ', '')
          .split('\r\n');
        expect(lines.filter(line => line === 'END:VEVENT')).toHaveLength(1);
        expect(lines.filter(line => line.startsWith('BEGIN:'))).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VEVENT']);
        expect(lines).toContain('DTEND;VALUE=DATE:20270101');
      }),
    );
  });
});
