import { COMMAND_STATES } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { COMMAND_EVENTS, isAwaitingAnswer, isOpen, transitionOf } from './transitions.ts';

/** Everything that may happen; every other pair of state and event changes nothing. */
const ALLOWED: Readonly<Record<string, string>> = {
  'awaiting-second agreed': 'queued agreed',
  'awaiting-second declined': 'cancelled declined',
  'awaiting-second expired': 'expired no-second-person',
  'awaiting-second cancelled': 'cancelled by-user',
  'awaiting-second superseded': 'cancelled no-longer-applies',
  'awaiting-second contradicted': 'cancelled contradicting-reports',
  'awaiting-second rightsLost': 'cancelled sender-lost-rights',
  'awaiting-second vehicleGone': 'cancelled vehicle-gone',
  'awaiting-second restarted': 'awaiting-second restart',
  'queued asleep': 'queued tracker-asleep tracker',
  'queued armed': 'queued armed safe-stop',
  'queued unsafe': 'failed interlock-failed',
  'queued published': 'published',
  'queued unsupported': 'failed not-supported',
  'queued expired': 'expired too-late',
  'queued cancelled': 'cancelled by-user',
  'queued superseded': 'cancelled no-longer-applies',
  'queued contradicted': 'cancelled contradicting-reports',
  'queued rightsLost': 'cancelled sender-lost-rights',
  'queued vehicleGone': 'cancelled vehicle-gone',
  'queued restarted': 'queued restart',
  'published heldBack': 'queued',
  'published delivered': 'delivered',
  ...Object.fromEntries(
    ['published', 'delivered'].flatMap(state => [
      [`${state} publishedAgain`, 'published sent-again'],
      [`${state} answered`, 'acknowledged'],
      [`${state} refused`, 'failed refused-by-tracker'],
      [`${state} silent`, 'failed no-answer'],
      [`${state} proved`, 'acknowledged proved-by-effect'],
      [`${state} vehicleGone`, 'failed vehicle-gone'],
      [`${state} restarted`, 'failed outcome-unknown'],
    ]),
  ),
  'acknowledged answered': 'acknowledged',
  'failed answeredLate': 'acknowledged answered-late',
  'failed refusedLate': 'failed refused-by-tracker',
};

describe('[R3.08] what becomes of a command', () => {
  const pairs = COMMAND_STATES.flatMap(state => COMMAND_EVENTS.map(event => [state, event] as const));

  it.each(pairs)('%s, %s', (state, event) => {
    const next = transitionOf(state, event);
    const words = next && [next.to, next.reason, next.waitingFor].filter(Boolean).join(' ');
    expect(words ?? 'no').toBe(ALLOWED[`${state} ${event}`] ?? 'no');
  });

  it('ends: nothing but its tracker’s own answer brings it back', () => {
    for (const [state, event] of pairs.filter(([state]) => !isOpen(state))) {
      const next = transitionOf(state, event);
      if (next) expect([event, isOpen(next.to)]).toEqual([expect.stringMatching(/^(answered|refused)/), false]);
    }
  });

  it('[R7.35] leaves only from where it is queued, or again where it was not answered', () => {
    const leaving = pairs.filter(([state, event]) => {
      const next = transitionOf(state, event);
      return next?.to === 'published';
    });
    expect(leaving).toEqual([
      ['queued', 'published'],
      ['published', 'publishedAgain'],
      ['delivered', 'publishedAgain'],
    ]);
  });

  it('[R7.35] comes out of waiting for a second person by their word alone', () => {
    const out = COMMAND_EVENTS.filter(event => {
      const next = transitionOf('awaiting-second', event);
      return next && isOpen(next.to) && next.to !== 'awaiting-second';
    });
    expect(out).toEqual(['agreed']);
    expect(COMMAND_STATES.filter(state => transitionOf(state, 'agreed'))).toEqual(['awaiting-second']);
    for (const [state, event] of pairs.filter(([state]) => state !== 'awaiting-second')) {
      expect(transitionOf(state, event)?.to).not.toBe('awaiting-second');
    }
  });

  it('can be called back as long as no byte has left, and not afterwards', () => {
    const callable = COMMAND_STATES.filter(state => transitionOf(state, 'cancelled') !== null);
    expect(callable).toEqual(['awaiting-second', 'queued']);
    expect(COMMAND_STATES.filter(isAwaitingAnswer)).toEqual(['published', 'delivered']);
  });
});
