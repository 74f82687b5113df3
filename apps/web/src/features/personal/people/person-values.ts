import type { Driver } from '@milepost/contract';

/** A person as form fields, which are all texts. */
export interface PersonValues {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly licenceNumber: string;
  readonly licenceRegion: string;
  readonly licenceClass: string;
  readonly licenceExpiresOn: string;
  readonly card: string;
  readonly departmentId: string;
  readonly userId: string;
  readonly notes: string;
}

export const EMPTY_PERSON: PersonValues = {
  name: '',
  phone: '',
  email: '',
  licenceNumber: '',
  licenceRegion: '',
  licenceClass: '',
  licenceExpiresOn: '',
  card: '',
  departmentId: '',
  userId: '',
  notes: '',
};

export function valuesOf(person: Driver): PersonValues {
  const fields = Object.keys(EMPTY_PERSON) as (keyof PersonValues)[];
  return Object.fromEntries(fields.map(field => [field, person[field] ?? ''])) as unknown as PersonValues;
}

/** A card number in groups of four, as it is printed. */
export const spacedCard = (card: string): string => card.replace(/(.{4})(?=.)/g, '$1 ');

/** A phone number in readable groups: +1 540 555 0127. */
export function spacedPhone(phone: string): string {
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone);
  if (american) return `+1 ${american.slice(1).join(' ')}`;
  return phone.replace(/^(\+\d{2})(.*)$/, (_, country: string, rest: string) =>
    [country, ...(rest.match(/.{1,3}(?=(?:.{3})*$)|.{1,3}/g) ?? [])].join(' '),
  );
}
