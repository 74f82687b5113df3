import { NetworkError, ProblemError } from '@milepost/client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setFormatLocale } from '../format/locale.ts';
import { METRIC, US } from '../format/measure.ts';
import { setMeasureSystem } from '../format/use-measure-system.ts';
import spanish from '../locales/es/problems.json';
import { describeError } from './describe-error.ts';
import { i18n, startI18n } from './i18n.ts';
import { loadProblemTexts } from './language/problem-texts.ts';
import { problemWords } from './problem-words.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);
afterEach(async () => {
  await i18n.changeLanguage('en-US');
  setFormatLocale('en-US');
  setMeasureSystem(null);
});

const problem = (code: string, more: object = {}) =>
  new ProblemError({ type: `/problems/${code}`, title: 'As the server says it.', status: 400, code, ...more });

describe('[R8.05] a failure in words', () => {
  it('a problem is worded by its code, and by the server where only the server knows the code', () => {
    expect(describeError(problem('not-allowed')).message).toMatch(/^Your role does not allow this\. An owner or admin/);
    expect(describeError(problem('full-moon')).message).toBe('As the server says it.');
  });

  it('what a problem carries is shown in the reader’s language and units', async () => {
    const [wait, tank] = [
      problem('too-many-tries', { params: { waitS: 200 } }),
      { code: 'tank', params: { maxL: 5000 } },
    ];
    setMeasureSystem(US);
    expect(describeError(wait).message).toBe('Too many attempts. Try again in 4 minutes.');
    expect(problemWords(tank, '')).toBe('Enter the tank size, up to 1,321\u202fgal.');
    i18n.addResourceBundle('es', 'problems', spanish);
    await i18n.changeLanguage('es');
    setFormatLocale('es');
    setMeasureSystem(METRIC);
    expect(describeError(wait).message).toBe('Demasiados intentos. Inténtelo de nuevo en 4 minutos.');
    expect(problemWords(tank, '')).toBe('Escriba la capacidad del depósito, hasta 5000\u202fL.');
  });

  it('one and many are told apart', () => {
    const users = (count: number) => describeError(problem('role-in-use', { params: { count } })).message;
    expect([users(1), users(2)]).toEqual([
      '1 user has this role. Give them another role first.',
      '2 users have this role. Give them another role first.',
    ]);
  });

  it('field errors are worded by their codes too, and the reference comes along', () => {
    const errors = [
      { field: 'deviceName', code: 'name-length', params: { max: 60 }, message: 'As the server says it.' },
      { field: 'moon', code: 'too-full', message: 'As the server says it.' },
    ];
    const { fields, reference } = describeError(problem('invalid-input', { errors, instance: 'req-7' }));
    expect(fields.map(({ message }) => message)).toEqual([
      'Enter a name of up to 60 characters.',
      'As the server says it.',
    ]);
    expect(reference).toBe('req-7');
  });

  it('no answer says so, and that nothing is lost', () => {
    const { message, reference } = describeError(new NetworkError('unreachable', null));
    expect(message).toBe('The server did not respond. Check your connection and try again. What you entered is kept.');
    expect(reference).toBeNull();
  });

  it.each([[new TypeError('x is not a function')], ['a string'], [null]])('anything else is ours: %s', thrown => {
    expect(describeError(thrown).message).toMatch(/^Something went wrong in this app/);
  });
});
