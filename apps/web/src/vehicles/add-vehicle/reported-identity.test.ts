import { expect, it } from 'vitest';
import { reportedIdentity } from './reported-identity.ts';

it.each([
  ['352093081452251', '352093081452251', ''],
  ['35209308145225', '352093081452251', ''],
  ['4109876543', '', '4109876543'],
  ['013912345678', '', '013912345678'],
  ['352093081452250', '', '352093081452250'],
  ['', '', ''],
])('an unknown tracker that calls itself %j', (said, imei, trackerId) => {
  expect(reportedIdentity(said)).toEqual({ imei, trackerId });
});
