import { expect, it } from 'vitest';
import { completeUntil } from './missing-past.ts';

const minutes = (...times: number[]) => times.map(time => time * 60_000);
const BEGINNING = -99;

it('finds nothing missing where reports follow each other', () => {
  expect(completeUntil(minutes(5, 20, 35, 60, 84), 0, BEGINNING)).toBeNull();
});

it('finds the hole that an outage left', () => {
  expect(completeUntil(minutes(5, 20, 80, 84), 0, BEGINNING)).toBe(20 * 60_000);
});

it('asks for everything where the hours before the newest reports are not there', () => {
  expect(completeUntil(minutes(150, 160, 170), 0, BEGINNING)).toBe(BEGINNING);
});
