import { newPasswordSchema } from '@milepost/contract';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startI18n } from '../base/i18n.ts';
import { loadProblemTexts } from '../base/language/problem-texts.ts';
import { messagesFor } from './field-messages.ts';
import { passwordStrength } from './password-strength.ts';
import { withRepeat } from './repeat-password.ts';

beforeAll(startI18n);
beforeAll(loadProblemTexts);

it.each([
  ['', 'short'],
  ['short', 'short'],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 'fair'],
  ['twelve chars', 'fair'],
  ['a road to Staunton', 'good'],
  ['a long night on Interstate 81', 'strong'],
])('%j is %s', (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});

it('a new password is asked for twice, and all that is wrong is said at once', () => {
  const schema = withRepeat(z.strictObject({ password: newPasswordSchema }));
  expect(messagesFor(schema, { password: 'short', repeat: 'shorter' })).toEqual({
    password: 'Use at least 12 characters.',
    repeat: 'The passwords don’t match.',
  });
  expect(messagesFor(schema, { password: 'a long night on I-81', repeat: 'a long night on I-81' })).toEqual({});
});
