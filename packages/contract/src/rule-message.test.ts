import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filledMessage, RULE_TAGS, wrongTag } from './rule-message.ts';

describe('the message of a rule', () => {
  it('names what is known, and a dash for what is not', () => {
    const message = '{vehicle} left {geofence} at {time}. Driver: {driver}';
    expect(filledMessage(message, { vehicle: '4127', geofence: 'Depot North', time: '14:05', driver: null })).toBe(
      '4127 left Depot North at 14:05. Driver: –',
    );
  });

  it('says what is no tag', () => {
    expect(wrongTag('{vehicle} went {speeed}')).toBe('speeed');
    expect(wrongTag('{vehicle went')).toBe('{');
    expect(wrongTag('{Vehicle}')).toBe('Vehicle');
    expect(wrongTag('100 % of {vehicle}{driver}')).toBe(null);
  });

  it('keeps everything else as it was, also what names bring along', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...RULE_TAGS), fc.string({ minLength: 1 }), (text, tag, value) => {
        const plain = text.replaceAll(/[{}]/g, '');
        expect(filledMessage(`${plain}{${tag}}${plain}`, { [tag]: value })).toBe(`${plain}${value}${plain}`);
      }),
    );
  });
});
