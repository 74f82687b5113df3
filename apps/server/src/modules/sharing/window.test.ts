import { describe, expect, it } from 'vitest';
import { newEnd, newWindow, stateOf } from './window.ts';

const NOW = Date.parse('2026-11-19T14:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (ms: number) => new Date(ms).toISOString();
const refusal = (field: string, code: string) =>
  expect.objectContaining({ code: 'invalid-input', errors: [expect.objectContaining({ field, code })] });

describe('the window of a new link', () => {
  it('begins now or later, never earlier', () => {
    expect(newWindow({ expiresAt: iso(NOW + HOUR) }, NOW, false).startsAt.getTime()).toBe(NOW);
    // A start slightly in the past, from a slow browser clock, means now.
    const behind = { startsAt: iso(NOW - 60_000), expiresAt: iso(NOW + HOUR) };
    expect(newWindow(behind, NOW, false).startsAt.getTime()).toBe(NOW);
    const later = { startsAt: iso(NOW + DAY), expiresAt: iso(NOW + 2 * DAY) };
    expect(newWindow(later, NOW, false).startsAt.getTime()).toBe(NOW + DAY);
    const past = { startsAt: iso(NOW - HOUR), expiresAt: iso(NOW + HOUR) };
    expect(() => newWindow(past, NOW, true)).toThrow(refusal('startsAt', 'share-in-past'));
    const far = { startsAt: iso(NOW + 31 * DAY), expiresAt: iso(NOW + 32 * DAY) };
    expect(() => newWindow(far, NOW, true)).toThrow(refusal('startsAt', 'share-too-far'));
  });

  it.each([
    [false, 7],
    [true, 90],
  ])('lasts at least ten minutes; with shares.long %s, up to %d days', (mayBeLong, days) => {
    const until = (ms: number) => newWindow({ expiresAt: iso(NOW + ms) }, NOW, mayBeLong).expiresAt.getTime() - NOW;
    expect(until(10 * 60_000)).toBe(10 * 60_000);
    expect(until(days * DAY)).toBe(days * DAY);
    expect(() => until(10 * 60_000 - 1)).toThrow(refusal('expiresAt', 'share-too-short'));
    expect(() => until(days * DAY + HOUR)).toThrow(refusal('expiresAt', 'share-too-long'));
  });

  it('can be extended as far from now as a new one, any number of times', () => {
    const begun = new Date(NOW - 6 * DAY);
    expect(newEnd(begun, iso(NOW + 7 * DAY), NOW, false).getTime()).toBe(NOW + 7 * DAY);
    expect(() => newEnd(begun, iso(NOW - HOUR), NOW, false)).toThrow(refusal('expiresAt', 'share-too-short'));
  });
});

it('is planned, open, over, or revoked', () => {
  const window = { startsAt: new Date(NOW), expiresAt: new Date(NOW + HOUR) };
  expect(stateOf(window, null, NOW - 1)).toBe('planned');
  expect(stateOf(window, null, NOW)).toBe('open');
  expect(stateOf(window, null, NOW + HOUR)).toBe('ended');
  expect(stateOf(window, new Date(NOW), NOW + 1)).toBe('revoked');
});
