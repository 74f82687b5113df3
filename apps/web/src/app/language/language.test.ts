import { expect, it } from 'vitest';
import { pseudoText, pseudoTexts } from './pseudo.ts';
import { fileOf } from './translations.ts';

it('a page’s texts are found by its name', () => {
  expect([fileOf('addVehicle'), fileOf('notFound'), fileOf('users')]).toEqual(['add-vehicle', 'not-found', 'users']);
});

it('the language of the tests disguises words and keeps what is filled in', () => {
  expect(pseudoText('Save')).toBe('Sávé··');
  expect(pseudoText('{{count}} vehicles in <b>one</b>')).toBe(`{{count}} véhíçlés íñ <b>óñé</b>${'·'.repeat(6)}`);
  expect(pseudoTexts({ a: { b: 'No' } })).toEqual({ a: { b: 'Ñó·' } });
});
