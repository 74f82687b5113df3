import { beforeAll, expect, it } from 'vitest';
import { startI18n } from '../base/i18n.ts';
import { METRIC, US } from './measure.ts';
import { loggedPlaceWords, placeWords } from './place.ts';

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

it('words a place in a log in the reader’s units, and leaves what a driver entered as it is', () => {
  expect(plain(loggedPlaceWords('6mi SSW IL Chicago', US))).toBe('6 mi SSW of Chicago, IL');
  expect(plain(loggedPlaceWords('6mi SSW IL Chicago', METRIC))).toBe('10 km SSW of Chicago, IL');
  expect(plain(loggedPlaceWords('12km NE ON Sault Ste. Marie', METRIC))).toBe('12 km NE of Sault Ste. Marie, ON');
  expect(loggedPlaceWords('0mi SW OH Toledo', US)).toBe('Toledo, OH');
  for (const entered of ['Yard 4, gate B', '6mi XYZ IL Chicago', '6mi SNS IL Chicago', '']) {
    expect(loggedPlaceWords(entered, US)).toBe(entered);
  }
});
