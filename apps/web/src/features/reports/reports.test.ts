import { afterEach, describe, expect, it } from 'vitest';
import { setFormatLocale } from '../../format/locale.ts';
import { METRIC, US } from '../../format/measure.ts';
import { cellWords, changeWords, hasTenths, unitOf } from './cell-words.ts';
import { daysOfPreset, isFor, openingPreset, PRESETS, presetOf } from './presets.ts';
import { addressOfGroup, addressQuery, apiQuery, readAddress } from './report-url.ts';
import { presetIn, savedLink, savedQuery } from './saved-query.ts';

describe('[R2.04] the address of a report', () => {
  const query =
    'from=2026-11-01&to=2026-11-07&vehicles=4,7&folders=2&group=week&compare=1&rows=none&minimumM=800&workTo=1080';

  it('has all that was asked for, both ways', () => {
    const address = readAddress(new URLSearchParams(query));
    expect(address && addressQuery(address)).toBe(query);
    expect(address && apiQuery(address, 'fr')).toEqual({
      ...{ from: '2026-11-01', to: '2026-11-07', vehicles: '4,7', folders: '2', groupBy: 'week', compare: 'true' },
      ...{ minimumM: 800, workTo: 1080, language: 'fr' },
    });
  });

  it('ignores what is not one', () => {
    expect(readAddress(new URLSearchParams('from=2026-13-01&to=2026-11-07'))).toBeNull();
    const strange = new URLSearchParams('from=2026-11-01&to=2026-11-07&vehicles=a,4,&group=moon&minimumM=-1');
    expect(readAddress(strange)).toMatchObject({ vehicles: ['4'], group: '', compare: false, options: {} });
  });
});

describe('[R2.04] the totals of a group', () => {
  it.each([
    ['vehicle', '7', 'from=2026-10-20&to=2026-11-24&vehicles=7&minimumS=60'],
    ['day', '2026-11-01', 'from=2026-11-01&to=2026-11-01&folders=3&minimumS=60'],
    ['week', '2026-10-19', 'from=2026-10-20&to=2026-10-25&folders=3&minimumS=60'],
    ['week', '2026-11-23', 'from=2026-11-23&to=2026-11-24&folders=3&minimumS=60'],
    ['month', '2026-10-01', 'from=2026-10-20&to=2026-10-31&folders=3&minimumS=60'],
    ['month', '2026-11-01', 'from=2026-11-01&to=2026-11-24&folders=3&minimumS=60'],
    ['driver', '7', null],
    ['vehicle', '', null],
  ])('by %s, of %s, link to the rows that they are made of', (group, key, query) => {
    const address = readAddress(
      new URLSearchParams({ from: '2026-10-20', to: '2026-11-24', folders: '3', group, minimumS: '60', compare: '0' }),
    );
    const alone = address && addressOfGroup(address, key);
    expect(alone && addressQuery(alone)).toBe(query);
  });
});

describe('[R2.04] a saved report', () => {
  it('keeps a period by its name if it has one, and all else that was asked for', () => {
    const address = readAddress(new URLSearchParams('from=2026-11-16&to=2026-11-22&folders=2&group=week&minimumM=800'));
    const kept = address && savedQuery('trips', address, 'lastWeek');
    expect(savedLink(kept ?? '')).toBe('/reports/trips?folders=2&group=week&minimumM=800&when=lastWeek');
    expect(presetIn(new URLSearchParams(kept ?? ''))).toBe('lastWeek');
    const dated = address && savedQuery('trips', address, null);
    expect(savedLink(dated ?? '')).toContain('from=2026-11-16&to=2026-11-22');
  });
});

describe('[R2.04] the period of a report', () => {
  it('is that of whole weeks and months, from the first weekday of the account', () => {
    // A Tuesday.
    const today = '2026-11-24';
    expect(daysOfPreset('week', today, 1)).toEqual({ from: '2026-11-23', to: today });
    expect(daysOfPreset('week', today, 7)).toEqual({ from: '2026-11-22', to: today });
    expect(daysOfPreset('lastWeek', today, 7)).toEqual({ from: '2026-11-15', to: '2026-11-21' });
    expect(daysOfPreset('lastMonth', '2026-03-31', 1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(presetOf({ from: '2026-10-01', to: '2026-10-31' }, today, 1)).toBe('lastMonth');
    expect(presetOf({ from: '2026-10-02', to: '2026-10-31' }, today, 1)).toBeNull();
  });

  it('is to come only for a report about days to come, which opens with it', () => {
    const [ahead, past] = [{ looksAhead: true }, { looksAhead: false }];
    expect([openingPreset(ahead), openingPreset(past), openingPreset(undefined)]).toEqual([
      'nextThirty',
      'seven',
      'seven',
    ]);
    expect(daysOfPreset('nextThirty', '2026-11-24', 1)).toEqual({ from: '2026-11-24', to: '2026-12-24' });
    expect(PRESETS.filter(preset => isFor(past, preset))).toEqual(PRESETS.filter(preset => preset !== 'nextThirty'));
    expect(isFor(ahead, 'nextThirty')).toBe(true);
  });
});

describe('[R2.04] the cells of a report', () => {
  afterEach(() => setFormatLocale('en-US'));
  const us = { system: US, zone: 'America/Chicago', currency: 'USD' };

  it('are in the units and language of the reader, and in the zone of the account', () => {
    expect(cellWords(160_934.4, 'distance', us)).toBe('100.0');
    expect(cellWords(160_934.4, 'distance', { ...us, system: METRIC })).toBe('160.9');
    expect(cellWords('2026-11-24T05:30:00.000Z', 'moment', us)).toBe('Nov 23, 23:30');
    expect(cellWords(280_859, 'duration', us)).toBe('78 h 00 m');
    expect(cellWords(0.1234, 'share', us)).toBe('12.3%');
    // In a column, all figures have tenths or none.
    expect(hasTenths([1.04, 1.039], 'share')).toBe(true);
    expect([1.04, 1.039].map(cell => cellWords(cell, 'share', us, true))).toEqual(['104.0%', '103.9%']);
    expect(hasTenths([1, 0.5, null], 'share')).toBe(false);
    expect(hasTenths([7, 5.3], 'number')).toBe(true);
    expect(hasTenths([359, 12.04], 'number')).toBe(false);
    expect(hasTenths([7.5], 'count')).toBe(false);
    expect(cellWords(1234.5, 'money', us)).toBe('1,234.50');
    expect(unitOf('money', us)).toBe('USD');
    setFormatLocale('fr');
    expect(cellWords(1234.5, 'number', us)).toMatch(/^1\s234,5$/);
    expect(cellWords(null, 'distance', us)).toBe('');
  });

  it('compare by percent, shares by points, and not with nothing', () => {
    expect(changeWords(110, 100, 'distance')).toBe('+10%');
    expect(changeWords(0.25, 0.3, 'share')).toBe('−5%');
    expect(changeWords(5, 0, 'count')).toBe('');
    expect(changeWords(5, null, 'count')).toBe('');
  });
});
