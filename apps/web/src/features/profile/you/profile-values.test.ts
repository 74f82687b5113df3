import { profileChangeSchema } from '@milepost/contract';
import { beforeAll, expect, it } from 'vitest';
import { startI18n } from '../../../base/i18n.ts';
import { loadProblemTexts } from '../../../base/language/problem-texts.ts';
import { messagesFor } from '../../../forms/field-messages.ts';
import { profileChange, profileValues } from './profile-values.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);

const PERSON = { displayName: 'Nora Kessler', gender: 2, email: 'nora@rockfish.example', phone: null };
const VALUES = profileValues(PERSON);

it('[R3.01] the gender goes out as its number: 1, 2 or 0', () => {
  expect(VALUES.gender).toBe('2');
  expect(['1', '0'].map(gender => profileChange(PERSON, { ...VALUES, gender }))).toEqual([
    { gender: 1 },
    { gender: 0 },
  ]);
});

it('[R7.03] sends what was changed; addresses go with the password', () => {
  expect(profileChange(PERSON, VALUES)).toEqual({});
  expect(profileChange(PERSON, { ...VALUES, email: '' })).toEqual({ email: '', password: '' });
  expect(messagesFor(profileChangeSchema, profileChange(PERSON, { ...VALUES, phone: '12' }))).toEqual({
    phone: 'Start with + and the country code, such as +1 312 555 0100.',
    password: 'Enter your current password.',
  });
});
