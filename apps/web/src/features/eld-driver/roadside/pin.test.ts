import { describe, expect, it } from 'vitest';
import { isPin, newPin, tryPin, waitMs } from './pin.ts';

const NOON = Date.parse('2026-11-26T12:00:00Z');

describe('the PIN that ends inspection mode', () => {
  const kept = newPin('7', 'salt', '4711');

  it('is right or wrong, and is not stored itself', () => {
    expect(tryPin(kept, '4711', NOON).right).toBe(true);
    expect(tryPin(kept, '4712', NOON).right).toBe(false);
    expect(JSON.stringify(kept)).not.toContain('4711');
  });

  it('has to wait after five wrong tries, and starts over after the right one', () => {
    let now = kept;
    for (let n = 0; n < 5; n++) now = tryPin(now, '0000', NOON).kept;
    expect(waitMs(now, NOON + 10_000)).toBe(20_000);
    expect(waitMs(now, NOON + 30_000)).toBe(0);
    // The phone's clock was set back in between.
    expect(waitMs(now, NOON - 9e9)).toBe(30_000);
    expect(waitMs(tryPin(now, '4711', NOON + 30_000).kept, NOON + 30_000)).toBe(0);
  });

  it.each([
    ['4711', true],
    ['12345678', true],
    ['123', false],
    ['123456789', false],
    ['12a4', false],
    ['', false],
  ])('%s is one: %s', (text, is) => expect(isPin(text)).toBe(is));
});
