import { expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode, problemTitle } from './problems.ts';

it('fills the names in a sentence, and leaves what it was not given', () => {
  expect(problemTitle('too-many-tries', { wait: '4 minutes' })).toBe('Too many tries. Try again in 4 minutes.');
  expect(problemTitle('import-has-errors', { count: 0 })).toBe('0 rows are not right. Nothing was imported.');
  expect(problemTitle('name-taken')).toBe("Another vehicle is already called '{name}'.");
  expect(problemTitle('name-taken', { name: '{name} $& $1' })).toBe(
    "Another vehicle is already called '{name} $& $1'.",
  );
});

it.each(Object.keys(PROBLEMS) as ProblemCode[])('says %s in whole sentences, with a status of failure', code => {
  const { status, title } = PROBLEMS[code];
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(600);
  expect(title).toMatch(/^[A-Z{].*[.}]$/);
});
