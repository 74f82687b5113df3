import type { Driver } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { driver } from '../../../../testing/people.ts';
import { expiryOf } from '../../../documents/expiry.ts';
import { shownPeople } from './filters.ts';

const person = (id: string, name: string, rest: Partial<Driver> = {}): Driver => driver(name, { id, ...rest });

const DANA = person('1', 'Dana Whitlock', {
  phone: '+15405550127',
  licenceNumber: 'T62410883',
  licenceRegion: 'VA',
  licenceExpiresOn: '2028-09-01',
  card: '04A27F19',
  vehicle: { id: '7', imei: '356307042441013', deviceName: '4127', source: 'card' },
});
const JOEL = person('2', 'Joel Hostetter', { licenceExpiresOn: '2027-01-10' });
const SOFIA = person('3', 'Sofía Marín', { licenceExpiresOn: '2026-11-01', archived: true });
const ALL = [DANA, JOEL, SOFIA];

const names = (query: string, filters: Record<string, string[]> = {}, department: string[] | null = null) =>
  shownPeople(ALL, department && new Set(department), { query, filters }, date => expiryOf(date, '2026-11-22', 90)).map(
    ({ id }) => id,
  );

describe('the people of the registry', () => {
  it.each([
    ['', ['1', '2']],
    ['whit', ['1']],
    ['540555', ['1']],
    ['va t624', ['1']],
    ['04a2', ['1']],
    ['4127', ['1']],
    ['nobody', []],
  ])('are found by %j', (query, expected) => {
    expect(names(query)).toEqual(expected);
  });

  it.each([
    [{ licence: ['ending'] }, ['2']],
    [{ card: ['none'] }, ['2']],
    [{ vehicle: ['some'] }, ['1']],
    [{ state: ['archived'] }, ['3']],
    [{ state: ['active', 'archived'] }, ['1', '2', '3']],
    [{ department: ['9'] }, ['1', '2']],
  ])('are filtered by %j', (filters, expected) => {
    expect(names('', filters)).toEqual(expected);
  });

  it('are those of the department', () => {
    expect(names('', {}, ['2', '3'])).toEqual(['2']);
  });
});
