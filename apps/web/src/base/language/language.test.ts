import { beforeAll, expect, it, vi } from 'vitest';
import { i18n, startI18n } from '../i18n.ts';
import { addPageTexts, setLanguage, useLanguage } from './language.ts';
import { pseudoText, pseudoTexts } from './pseudo.ts';
import { fileOf } from './translations.ts';

beforeAll(startI18n);

it('a page’s texts are found by its name', () => {
  expect([fileOf('addVehicle'), fileOf('notFound'), fileOf('users')]).toEqual(['add-vehicle', 'not-found', 'users']);
});

it('the language of the tests disguises words and keeps what is filled in', () => {
  expect(pseudoText('Save')).toBe('Sávé··');
  expect(pseudoText('{{count}} vehicles in <b>one</b>')).toBe(`{{count}} véhíçlés íñ <b>óñé</b>${'·'.repeat(6)}`);
  expect(pseudoTexts({ a: { b: 'No' } })).toEqual({ a: { b: 'Ñó·' } });
});

it('a page that comes while the language changes comes in that language', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  const change = i18n.changeLanguage.bind(i18n);
  vi.spyOn(i18n, 'changeLanguage').mockImplementationOnce(async language => {
    await addPageTexts('alerts', {} as never);
    return change(language);
  });
  await setLanguage('fr');
  expect([i18n.language, i18n.hasResourceBundle('fr', 'alerts')]).toEqual(['fr', true]);
});

it('of the languages that are asked for the last is spoken', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await Promise.all([setLanguage('fr'), setLanguage('es'), setLanguage('fr'), setLanguage('es')]);
  expect([useLanguage.getState().language, i18n.language]).toEqual(['es', 'es']);
});
