import { expect, it } from 'vitest';
import { METRIC, US } from '../format/measure.ts';
import { changeText, figureText, isOffTarget, rowsOf, type Tile, tileFigure, toneOf } from './tile-words.ts';

const text = (...[key, value, system = US]: [Tile['key'], number, typeof US?]) =>
  figureText(tileFigure(key, value, system, 'a day'));

it('[R2.11] figures stand in the reader’s units, shares in percent, times in hours', () => {
  expect(text('distance', 288_748_000)).toBe('179,420\u202fmi');
  expect(text('distance', 288_748_000, METRIC)).toBe('288,748\u202fkm');
  expect([text('idleShare', 0.098), text('utilisation', 0.762)]).toEqual(['9.8\u202f%', '76\u202f%']);
  expect([text('driving', 4_332_000), text('stops', 1204), text('inUse', 31.25)]).toEqual([
    '1,203\u202fh',
    '1,204',
    '31.3\u202fa day',
  ]);
});

it('what reports add up is in points, minutes for each thousand miles, shares and minutes', () => {
  const text = (key: 'score' | 'speeding' | 'onTime' | 'temperature', value: number, system = US) =>
    figureText(tileFigure(key, value, system, 'a day'));
  // Six minutes in a thousand miles.
  const rate = 360 / 1_609_344;
  expect([text('score', 84.4), text('speeding', rate), text('speeding', rate, METRIC)]).toEqual([
    '84',
    '6.0\u202fmin/1,000\u202fmi',
    '3.7\u202fmin/1,000\u202fkm',
  ]);
  expect([text('onTime', 0.934), text('temperature', 2280), text('temperature', 72_000)]).toEqual([
    '93\u202f%',
    '38\u202fmin',
    '20\u202fh',
  ]);
  expect(changeText('score', 3.2, US, 'pt')).toBe('+3');
  expect(changeText('speeding', rate / 6, US, 'pt')).toBe('+1.0');
  expect([toneOf('score', 0.4), toneOf('score', 3), toneOf('speeding', rate / 6)]).toEqual(['even', 'good', 'bad']);
});

it('a change says how much, and its tone whether that is good, which is not the same', () => {
  expect(changeText('distance', 0.031, US, 'pt')).toBe('+3.1%');
  expect(changeText('idleShare', -0.011, US, 'pt')).toBe('−1.1\u202fpt');
  expect(changeText('topSpeed', -1.2, US, 'pt')).toBe('−3\u202fmph');
  expect([toneOf('distance', 0.03), toneOf('idleShare', 0.03), toneOf('stops', 0.5), toneOf('known', 0.0001)]).toEqual([
    'good',
    'bad',
    'even',
    'even',
  ]);
});

type OfVehicles = Exclude<Tile, { readonly report: unknown }>;

it('is off target on the wrong side of it; a sum as far as its days are over', () => {
  const tile = (part: Partial<OfVehicles>): Tile => ({
    key: 'distance',
    value: 300,
    previous: null,
    change: null,
    series: [100, 100, 100, null],
    target: 800,
    ...part,
  });
  expect([isOffTarget(tile({})), isOffTarget(tile({ target: 600 })), isOffTarget(tile({ target: null }))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(isOffTarget(tile({ key: 'idleShare', value: 0.12, target: 0.1 }))).toBe(true);
  expect(isOffTarget(tile({ key: 'known', value: 0.99, target: 0.95 }))).toBe(false);
});

it('says how many rows a figure is made of, unless the figure is that number', () => {
  const part = { value: 0, previous: null, change: null, series: [], target: null, rows: 0 };
  const report = { key: 'any', from: '2026-11-01', to: '2026-11-28' };
  expect(rowsOf({ ...part, report, key: 'onTime', rows: 3 })).toEqual({ key: 'onTime', count: 3 });
  expect(rowsOf({ ...part, report, key: 'violations' })).toBeNull();
});
