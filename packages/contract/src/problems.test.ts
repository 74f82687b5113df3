import { expect, it } from 'vitest';
import { englishText } from './problem-text.ts';
import { PROBLEMS, type ProblemCode, problemTitle } from './problems.ts';

it('fills in the placeholders of a message, and leaves those without a value', () => {
  expect(problemTitle('too-many-tries', { waitS: 200 })).toBe('Too many attempts. Try again in 4 minutes.');
  expect(problemTitle('import-has-errors', { count: 0 })).toBe('Rows with errors: 0. Nothing was imported.');
  expect(englishText(PROBLEMS['name-taken'].title, {})).toBe('Another vehicle is already called “{name}”.');
  expect(problemTitle('name-taken', { name: '{name} $& $1' })).toBe(
    'Another vehicle is already called “{name} $& $1”.',
  );
});

it.each(Object.keys(PROBLEMS) as ProblemCode[])('words %s in whole sentences, with an error status', code => {
  const { status, title } = PROBLEMS[code];
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(600);
  expect(title).toMatch(/^[A-Z{].*[.}]$/);
});
