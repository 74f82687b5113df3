import type { Driver } from '@milepost/contract';
import type { Expiry } from '../../../documents/expiry.ts';
import { matchesSearch } from '../../../registry/search.ts';

/** Parameters of the address; the department is chosen in the tree. */
export const PEOPLE_FILTERS = ['department', 'licence', 'card', 'vehicle', 'state'] as const;
export type PeopleFilter = (typeof PEOPLE_FILTERS)[number];

export const LICENCES = ['ended', 'ending', 'fine', 'none'] as const;
export const HAVING = ['some', 'none'] as const;
export const STATES = ['active', 'archived'] as const;

export interface PeopleView {
  readonly query: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** Phone numbers are found with or without spaces and symbols. */
const textsOf = ({ name, phone, email, licenceNumber, licenceRegion, card, vehicle }: Driver): (string | null)[] => [
  name,
  phone,
  phone?.replace(/\D/g, '') ?? null,
  email,
  [licenceRegion, licenceNumber].filter(Boolean).join(' '),
  card,
  vehicle?.deviceName ?? null,
];

export function licenceOf(
  { licenceExpiresOn }: Pick<Driver, 'licenceExpiresOn'>,
  expiryOf: (date: string) => Expiry,
): (typeof LICENCES)[number] {
  return licenceExpiresOn === null ? 'none' : expiryOf(licenceExpiresOn);
}

/** People of a department (null: all) that match the search and filters; archived ones only on request. */
export function shownPeople(
  people: readonly Driver[],
  department: ReadonlySet<string> | null,
  { query, filters }: PeopleView,
  expiryOf: (date: string) => Expiry,
): Driver[] {
  const states = filters.state ?? ['active'];
  return people.filter(person => {
    if (!states.includes(person.archived ? 'archived' : 'active')) return false;
    if (department !== null && !department.has(person.id)) return false;
    const values: Readonly<Record<string, string>> = {
      licence: licenceOf(person, expiryOf),
      card: person.card === null ? 'none' : 'some',
      vehicle: person.vehicle === null ? 'none' : 'some',
    };
    const passes = Object.entries(filters).every(([filter, chosen]) => {
      const value = values[filter];
      return value === undefined || chosen.includes(value);
    });
    return passes && matchesSearch(query, textsOf(person));
  });
}
