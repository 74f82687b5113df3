import { expect, it } from 'vitest';
import { isMostlyText, piecesOf, written } from './pieces.ts';

const PARTS = [
  { from: 0, to: 2, name: 'start', value: '0x7878' },
  {
    from: 2,
    to: 5,
    name: 'record 1',
    value: '',
    parts: [
      { from: 2, to: 4, name: 'speed', value: '54', unit: 'km/h' },
      { from: 4, to: 5, name: 'end', value: '' },
    ],
  },
];

it('puts the pieces of a group below it', () => {
  expect(piecesOf(PARTS).map(({ name, depth, isLeaf }) => [name, depth, isLeaf])).toEqual([
    ['start', 0, true],
    ['record 1', 0, false],
    ['speed', 1, true],
    ['end', 1, true],
  ]);
});

it('writes bytes as digits, and text with the ends of its lines', () => {
  const hex = Buffer.from('*HQ\r\n').toString('hex');
  expect(written(hex, { from: 0, to: 3 }, 'hex')).toBe('2a 48 51');
  expect(written(hex, { from: 1, to: 5 }, 'text')).toBe('HQ␍␊');
  expect(written('78ff', { from: 0, to: 2 }, 'text')).toBe('x·');
});

it('tells text from bytes', () => {
  expect(isMostlyText(Buffer.from('+RESP:GTFRI,060228$').toString('hex'))).toBe(true);
  expect(isMostlyText('787811010123')).toBe(false);
  expect(isMostlyText('')).toBe(false);
});
