import { expect, it } from 'vitest';
import { announce, forgetAnnouncements, useAnnouncements } from './announce.ts';

const said = () => useAnnouncements.getState().map(({ text }) => text);

it('keeps what was said in the same moment, the same sentence twice, too, and lets go of what was read long ago', () => {
  for (const text of ['Connection lost', 'Connected', 'Connected']) announce(text);
  expect(said()).toEqual(['Connection lost', 'Connected', 'Connected']);
  expect(new Set(useAnnouncements.getState().map(({ id }) => id)).size).toBe(3);
  for (const text of ['a', 'b', 'c']) announce(text);
  expect(said()).toEqual(['Connected', 'Connected', 'a', 'b', 'c']);
  forgetAnnouncements();
  expect(said()).toEqual([]);
});
