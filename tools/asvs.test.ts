import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './launch/install.mjs';

/** The requirements of levels 1 and 2 in ASVS 5.0.0, by section: their last numbers. */
const SECTIONS: Readonly<Record<string, string>> = {
  'V1.1': '1-2',
  'V1.2': '1-9',
  'V1.3': '1-11',
  'V1.4': '1-3',
  'V1.5': '1-2',
  'V2.1': '1-3',
  'V2.2': '1-3',
  'V2.3': '1-4',
  'V2.4': '1',
  'V3.2': '1-2',
  'V3.3': '1-4',
  'V3.4': '1-6',
  'V3.5': '1-5',
  'V3.7': '1-2',
  'V4.1': '1-3',
  'V4.2': '1',
  'V4.3': '1-2',
  'V4.4': '1-4',
  'V5.1': '1',
  'V5.2': '1-3',
  'V5.3': '1-2',
  'V5.4': '1-3',
  'V6.1': '1-3',
  'V6.2': '1-12',
  'V6.3': '1-4',
  'V6.4': '1-4',
  'V6.5': '1-5',
  'V6.6': '1-3',
  'V6.8': '1-4',
  'V7.1': '1-3',
  'V7.2': '1-4',
  'V7.3': '1-2',
  'V7.4': '1-5',
  'V7.5': '1-2',
  'V7.6': '1-2',
  'V8.1': '1-2',
  'V8.2': '1-3',
  'V8.3': '1',
  'V8.4': '1',
  'V9.1': '1-3',
  'V9.2': '1-4',
  'V10.1': '1-2',
  'V10.2': '1-2',
  'V10.3': '1-4',
  'V10.4': '1-11',
  'V10.5': '1-5',
  'V10.6': '1-2',
  'V10.7': '1-3',
  'V11.1': '1-2',
  'V11.2': '1-3',
  'V11.3': '1-3',
  'V11.4': '1-4',
  'V11.5': '1',
  'V11.6': '1',
  'V12.1': '1-3',
  'V12.2': '1-2',
  'V12.3': '1-4',
  'V13.1': '1',
  'V13.2': '1-5',
  'V13.3': '1-2',
  'V13.4': '1-5',
  'V14.1': '1-2',
  'V14.2': '1-4',
  'V14.3': '1-3',
  'V15.1': '1-3',
  'V15.2': '1-3',
  'V15.3': '1-7',
  'V16.1': '1',
  'V16.2': '1-5',
  'V16.3': '1-4',
  'V16.4': '1-3',
  'V16.5': '1-3',
  'V17.1': '1',
  'V17.2': '1-4',
  'V17.3': '1-2',
};

/** “V1.3.8–V1.3.9” are two. */
function numbersOf(cell: string): string[] {
  const [first = '', last = first] = cell.split('–');
  const section = first.slice(0, first.lastIndexOf('.'));
  const [from, to] = [first, last].map(number => Number(number.slice(number.lastIndexOf('.') + 1)));
  return Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, index) => `${section}.${(from ?? 0) + index}`);
}

const text = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');
const rows = text
  .split('\n')
  .filter(line => line.startsWith('| V'))
  .map(line =>
    line
      .split('|')
      .map(cell => cell.trim())
      .slice(1, -1),
  );

it('goes through every requirement of levels 1 and 2, once', () => {
  const expected = Object.entries(SECTIONS).flatMap(([section, range]) => {
    const [from = '', to = from] = range.split('-');
    return numbersOf(`${section}.${from}–${section}.${to}`);
  });
  expect(rows.flatMap(([cell = '']) => numbersOf(cell)).toSorted()).toEqual(expected.toSorted());
});

it('has a test or a reason for each, and counts them right', () => {
  const counts = new Map<string, number>();
  for (const [cell = '', , , verdict = '', why = ''] of rows) {
    expect([cell, verdict]).toEqual([cell, expect.stringMatching(/^(met|partly|not met|n\/a)$/)]);
    expect([cell, why]).toEqual([cell, expect.stringMatching(/.{5,}/)]);
    counts.set(verdict, (counts.get(verdict) ?? 0) + numbersOf(cell).length);
  }
  const said = /^Of (\d+) requirements, (\d+) are met, (\d+) partly, (\d+) are not, and (\d+) /m.exec(text);
  const each = ['met', 'partly', 'not met', 'n/a'].map(verdict => counts.get(verdict) ?? 0);
  expect(said?.slice(1).map(Number)).toEqual([each.reduce((sum, count) => sum + count), ...each]);
});
