import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spacedCard, spacedPhone } from './person-values.ts';

it.each([
  ['+15405550127', '+1 540 555 0127'],
  ['+442079460000', '+44 2 079 460 000'],
])('the phone number %s reads %s', (phone, text) => {
  expect(spacedPhone(phone)).toBe(text);
});

it('a phone number keeps its digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+[1-9]\d{6,14}$/), phone => {
      expect(spacedPhone(phone).replaceAll(' ', '')).toBe(phone);
    }),
  );
});

it('a card is read in groups of four', () => {
  expect([spacedCard('04A27F19'), spacedCard('12345'), spacedCard('1234')]).toEqual(['04A2 7F19', '1234 5', '1234']);
});
