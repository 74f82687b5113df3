import { NetworkError, ProblemError } from '@milepost/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeError } from './describe-error.ts';
import { startI18n } from './i18n.ts';

beforeAll(startI18n);

const problem = (code: string, more: object = {}) =>
  new ProblemError({ type: `/problems/${code}`, title: 'As the server says it.', status: 400, code, ...more });

describe('[R8.05] a failure in words', () => {
  it('a problem is told in the server’s own sentence, also one that only a newer server knows', () => {
    expect(describeError(problem('not-found')).message).toBe('As the server says it.');
    expect(describeError(problem('full-moon')).message).toBe('As the server says it.');
  });

  it('field errors and the reference come along', () => {
    const errors = [{ field: 'userName', code: 'too_small', message: 'Enter your user name or email.' }];
    const described = describeError(problem('invalid-input', { errors, instance: 'req-7' }));
    expect(described).toMatchObject({ fields: errors, reference: 'req-7' });
  });

  it('no answer says so, and that nothing is lost', () => {
    const { message, reference } = describeError(new NetworkError('unreachable', null));
    expect(message).toBe('The server did not answer. Check your connection and try again. What you entered is kept.');
    expect(reference).toBeNull();
  });

  it.each([[new TypeError('x is not a function')], ['a string'], [null]])('anything else is ours: %s', thrown => {
    expect(describeError(thrown).message).toMatch(/^Something went wrong in this app/);
  });
});
