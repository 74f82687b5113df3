import { describe, expect, it } from 'vitest';
import { problemOfIssue } from './issue.ts';
import { imeiOfFourteen, trackerIdSchema } from './tracker-id.ts';

describe('a tracker’s own ID', () => {
  it.each([
    ['013912345678', '13912345678'],
    [' 4109876543 ', '4109876543'],
    ['a10000458356ce', 'A10000458356CE'],
    ['00000000013912345678', '13912345678'],
  ])('reads %j as %s', (written, expected) => expect(trackerIdSchema.parse(written)).toBe(expected));

  it.each(['', '000', '123', '12 34', '*1234', '123456789012345678901'])('refuses %j', written => {
    expect(trackerIdSchema.safeParse(written).error?.issues.map(problemOfIssue)[0]?.code).toBe('tracker-id');
  });

  it('directs an IMEI to its own field', () => {
    expect(trackerIdSchema.safeParse('352093081452251').error?.issues.map(problemOfIssue)[0]?.code).toBe(
      'imei-in-tracker-id',
    );
  });
});

it('completes fourteen digits to an IMEI, and nothing else', () => {
  expect(imeiOfFourteen('35209308145225')).toBe('352093081452251');
  expect(imeiOfFourteen('352093081452251')).toBeNull();
  expect(imeiOfFourteen('3520930814522A')).toBeNull();
});
