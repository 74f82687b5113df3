import { expect, it } from 'vitest';
import { troubleOf } from './database-trouble.ts';

const databaseError = (code: string, fields: object = {}) =>
  Object.assign(new Error('as the database says'), { code, ...fields });

it.each([
  ['22003 a number out of range', databaseError('22003'), { kind: 'data', removedVehicle: false }],
  ['23514 a check', databaseError('23514', { constraint: 'poison' }), { kind: 'data', removedVehicle: false }],
  ['23503 the vehicle is gone', databaseError('23503'), { kind: 'data', removedVehicle: true }],
  ['a value that has no binary form', new RangeError('offset'), { kind: 'data', removedVehicle: false }],
  ['23505 a row that is there already', databaseError('23505', { constraint: 'position_pkey' }), { kind: 'collision' }],
  ['40P01 a deadlock', databaseError('40P01'), { kind: 'collision' }],
  ['23514 a partition that was just made', databaseError('23514'), { kind: 'collision' }],
])('tells what a failed write means: %s', (_, error, trouble) => {
  expect(troubleOf(error)).toEqual(trouble);
});

it.each([
  ['53100', /disk of the database is full.*free some space/],
  ['57P03', /is starting/],
  ['ECONNREFUSED', /does not take positions \(as the database says\)/],
  ['42P01', /does not take positions/],
])('waits with a sentence for /health: %s', (code, sentence) => {
  expect(troubleOf(databaseError(code))).toEqual({ kind: 'database', sentence: expect.stringMatching(sentence) });
});

it('waits when a connection broke off, which has no code', () => {
  expect(troubleOf(new Error('Connection terminated unexpectedly'))).toMatchObject({ kind: 'database' });
});
