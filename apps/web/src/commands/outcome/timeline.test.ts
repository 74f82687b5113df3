import { describe, expect, it } from 'vitest';
import { commandWord, isCancellable, isOpen, WORD_TONES } from '../command-state.ts';
import { command, step } from '../testing/command.ts';
import { plannedTimeline, timelineOf } from './timeline.ts';

const told = (...args: Parameters<typeof command>) =>
  timelineOf(command(...args)).map(({ mark, title }) => `${mark} ${title}`);

describe('[R3.08] the timeline of a command never claims more than is known', () => {
  it('armed: the wait is what goes on now, all that follows is hollow', () => {
    const steps = [step('queued', 'asked'), step('queued', 'armed')];
    expect(told(steps, { waitingFor: 'safe-stop' })).toEqual([
      'done confirmed',
      'now waitSafeStop',
      'future published',
      'future acknowledged',
      'future effect',
    ]);
  });

  it('[R7.35] a second person is waited for, agrees or declines, and is named', () => {
    const by = { by: 'Ben Ocampo' };
    const asked = step('awaiting-second', 'asked');
    expect(told([asked], { mode: 'immediate' })).toEqual([
      'done confirmed',
      'now waitSecond',
      'future published',
      'future acknowledged',
      'future effect',
    ]);
    expect(told([asked, step('queued', 'agreed', by), step('published')]).slice(0, 3)).toEqual([
      'done confirmed',
      'done agreed',
      'done published',
    ]);
    const declined = command([asked, step('cancelled', 'declined', { ...by, note: 'not now' })]);
    expect(timelineOf(declined).at(-1)).toMatchObject({
      mark: 'bad',
      title: 'declined',
      by: 'Ben Ocampo',
      note: 'not now',
    });
    expect(commandWord(declined)).toBe('declined');
    const late = timelineOf(command([asked, step('expired', 'no-second-person')]));
    expect(late.at(-1)).toMatchObject({ mark: 'bad', title: 'expired', why: 'no-second-person' });
  });

  it('asleep, then back: the wait has become a step of the past', () => {
    const asleep = [step('queued', 'asked'), step('queued', 'tracker-asleep')];
    const read = { action: 'getVersion', category: 'read', mode: null, effect: null } as const;
    expect(told(asleep, { ...read, waitingFor: 'tracker' })).toEqual([
      'done queued',
      'now waitTracker',
      'future published',
      'future acknowledged',
    ]);
    expect(told([...asleep, step('published')], read)).toEqual([
      'done queued',
      'done asleep',
      'done published',
      'now waitAnswer',
    ]);
  });

  it('sent is not answered, and answered is not the effect', () => {
    const sent = [step('queued', 'asked'), step('published')];
    expect(told(sent).slice(-2)).toEqual(['now waitAnswer', 'future effect']);
    const answered = [...sent, step('acknowledged')];
    expect(told(answered).slice(-2)).toEqual(['done acknowledged', 'now waitEffect']);
    expect(told([...answered, step('effect-seen')], { effect: 'seen' }).at(-1)).toBe('done effect');
    expect(told([...answered, step('effect-not-seen')], { effect: 'not-seen' }).at(-1)).toBe('unknown effectNotSeen');
    expect(told([...sent, step('acknowledged', 'proved-by-effect')], { effect: 'seen' }).at(-1)).toBe('done proved');
  });

  it.each([
    [step('failed', 'refused-by-tracker'), 'bad refused', 'refused'],
    [step('failed', 'no-answer'), 'unknown noAnswer', 'unknown'],
    [step('failed', 'outcome-unknown'), 'unknown unknown', 'unknown'],
    [step('failed', 'interlock-failed'), 'bad failed', 'failed'],
    [step('expired', 'too-late'), 'bad expired', 'expired'],
    [step('cancelled', 'by-user'), 'bad cancelled', 'cancelled'],
  ] as const)('an end is an end: %j', (end, last, word) => {
    const ended = command([step('queued', 'asked'), end]);
    expect(isOpen(ended)).toBe(false);
    expect(isCancellable(ended)).toBe(false);
    expect(timelineOf(ended).map(({ mark, title }) => `${mark} ${title}`)).toEqual(['done confirmed', last]);
    expect(commandWord(ended)).toBe(word);
    expect(WORD_TONES[word]).not.toBe('ok');
  });

  it('a second time is said', () => {
    const steps = [step('queued', 'asked'), step('published'), step('published', 'sent-again')];
    expect(told(steps)).toContain('done publishedAgain');
  });

  it('before anything was sent, everything is hollow', () => {
    expect(plannedTimeline(true).every(({ mark }) => mark === 'future')).toBe(true);
    expect(plannedTimeline(false, true).map(({ title }) => title)).toEqual(['second', 'published', 'acknowledged']);
    expect(plannedTimeline(false).map(({ title }) => title)).toEqual(['published', 'acknowledged']);
  });
});
