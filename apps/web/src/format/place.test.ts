import { beforeAll, expect, it } from 'vitest';
import { startI18n } from '../base/i18n.ts';
import { METRIC, US } from './measure.ts';
import { placeWords } from './place.ts';

beforeAll(startI18n);

const away = {
  address: '5 km SSW of Whitestown, IN',
  near: { town: 'Whitestown, IN', distanceM: 4900, bearing: 203 },
};
const plain = (text: string): string => text.replaceAll('\u202f', ' ');

it('words the way from a town in the reader’s units', () => {
  expect(plain(placeWords(away, US))).toBe('3 mi SSW of Whitestown, IN');
  expect(plain(placeWords(away, METRIC))).toBe('5 km SSW of Whitestown, IN');
  expect(plain(placeWords({ ...away, near: { ...away.near, distanceM: 700 } }, US))).toBe('1 mi SSW of Whitestown, IN');
});

it('leaves an address without a distance as it is, and says nothing where nothing is known', () => {
  expect(placeWords({ address: 'N Damen Ave, Chicago, IL', near: null }, US)).toBe('N Damen Ave, Chicago, IL');
  expect(placeWords({ address: null }, US)).toBe('');
});
