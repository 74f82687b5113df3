import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passwordProblem } from './password-rules.ts';

const ANN = {
  userName: 'ann.novak',
  displayName: 'Ann Novák',
  email: 'annika@example.com',
  organisation: 'Rockfish Freight Lines',
};
const codeOf = async (password: string) => (await passwordProblem('password', password, ANN))?.code ?? null;

describe('a new password', () => {
  it.each(['1qaz2wsx3edc', 'qwertyqwerty', 'QWERTY123456', '123456789987654321', 'leavemealone', 'unbelievable'])(
    'is not %s, which everybody has',
    async password => {
      expect(await passwordProblem('password', password, ANN)).toEqual({
        field: 'password',
        code: 'common-password',
        message: 'This password appears in known data leaks. Choose another.',
      });
    },
  );

  it.each([
    ['Ann.Novak-2026!', 'ann.novak'],
    ['xx novák xx 1234', 'novák'],
    ['annika1234567', 'annika'],
    ['ROCKFISHrockfish', 'rockfish'],
    ['my milepost password', 'milepost'],
  ])('is not %s, which has a name in it', async (password, word) => {
    expect(await passwordProblem('password', password, ANN)).toEqual({
      field: 'password',
      code: 'name-in-password',
      params: { word },
      message: `Leave out “${word}”. Names are the first thing people guess.`,
    });
  });

  it('may be anything else: spaces, one kind of letters, other scripts, emoji', async () => {
    for (const password of ['correct horse battery', 'aaaabbbbccccdddd', 'пароль из слов', '🚚🚚🚚🚚🚚🚚 go 42']) {
      expect([password, await codeOf(password)]).toEqual([password, null]);
    }
  });

  it('is asked about without end or failure, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 128 }), async password => {
        expect([null, 'common-password', 'telling-password']).toContain(await codeOf(password));
      }),
    );
  });
});
