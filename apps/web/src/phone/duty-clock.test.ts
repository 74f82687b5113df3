import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DutyClock } from './duty-clock.ts';

const NOON = Date.parse('2026-11-26T12:00:00Z');
const HOUR = 3_600_000;

function phone(wrongByMs = 0) {
  let [real, monotonic, wrong] = [NOON, 5000, wrongByMs];
  const clocks = { wall: () => real + wrong, monotonic: () => monotonic };
  let clock = new DutyClock(clocks);
  let kept = { anchor: clock.observe(real), newest: real };
  return {
    get real() {
      return real;
    },
    get clock() {
      return clock;
    },
    awake: (ms: number) => {
      real += ms;
      monotonic += ms;
    },
    sleep: (ms: number) => {
      real += ms;
    },
    set: (ms: number) => {
      wrong += ms;
    },
    hear: () => {
      kept = { anchor: clock.observe(real), newest: real };
    },
    reload: () => {
      kept.newest = Math.max(kept.newest, clock.now());
      clock = new DutyClock(clocks);
      clock.restore(kept.anchor, kept.newest);
    },
  };
}

describe('time on a phone without a network', () => {
  it('is the server’s, however wrong the phone’s clock is', () => {
    const one = phone(-3 * HOUR);
    one.awake(HOUR);
    expect(one.clock.now()).toBe(one.real);
    one.sleep(5 * HOUR);
    expect(one.clock.now()).toBe(one.real);
    one.reload();
    expect(one.clock.now()).toBe(one.real);
  });

  it('goes on when the clock is set back, and says that it is wrong', () => {
    const one = phone();
    one.awake(HOUR);
    one.set(-2 * HOUR);
    one.awake(HOUR);
    expect(one.clock.now()).toBe(one.real);
    expect(one.clock.wrongByMs()).toBe(-2 * HOUR);
  });

  it('of a clock set forward is right again at the server’s next word', () => {
    const one = phone();
    one.set(2 * HOUR);
    one.awake(60_000);
    expect(one.clock.now()).toBeGreaterThan(one.real);
    one.hear();
    expect(one.clock.now()).toBe(one.real);
    expect(one.clock.wrongByMs()).toBe(2 * HOUR);
  });

  it('never goes backward without the server’s word, whatever happens', () => {
    const step = fc.record({
      what: fc.constantFrom('awake', 'sleep', 'set', 'reload'),
      ms: fc.integer({ min: 0, max: 9 * HOUR }),
      back: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const one = phone();
        let last = one.clock.now();
        for (const { back, ms, what } of steps) {
          if (what === 'set') one.set(back ? -ms : ms);
          else if (what === 'reload') one.reload();
          else one[what as 'awake' | 'sleep'](ms);
          const now = one.clock.now();
          expect(now).toBeGreaterThanOrEqual(last);
          last = now;
        }
      }),
    );
  });

  it('is known without asking for a minute after the server’s word, unless the phone slept or its clock was set forward', () => {
    const one = phone();
    one.awake(30_000);
    expect(one.clock.isSure()).toBe(true);
    one.set(-HOUR);
    expect(one.clock.isSure()).toBe(true);
    one.awake(31_000);
    expect(one.clock.isSure()).toBe(false);
    one.hear();
    expect(one.clock.isSure()).toBe(true);
    one.set(HOUR);
    expect(one.clock.isSure()).toBe(false);
    // What was entered meanwhile may be an hour ahead.
    one.set(-HOUR);
    expect(one.clock.isSure()).toBe(false);
    one.hear();
    one.sleep(HOUR);
    expect(one.clock.isSure()).toBe(false);
    one.hear();
    one.reload();
    expect(one.clock.isSure()).toBe(false);
  });

  it('is never ahead of the server’s while it is known without asking', () => {
    const step = fc.record({
      do: fc.constantFrom('awake', 'sleep', 'set', 'hear', 'reload'),
      ms: fc.integer({ min: 0, max: 40_000 }),
      sign: fc.constantFrom(-1, 1),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const one = phone();
        for (const { do: what, ms, sign } of steps) {
          if (what === 'awake') one.awake(ms);
          else if (what === 'sleep') one.sleep(ms);
          else if (what === 'set') one.set(sign * ms);
          else one[what as 'hear' | 'reload']();
          const now = one.clock.now();
          if (one.clock.isSure()) expect(now - one.real).toBeLessThanOrEqual(2000);
        }
      }),
    );
  });

  it('is exact while the page is open and the clock is never set forward', () => {
    const step = fc.record({ back: fc.boolean(), ms: fc.integer({ min: 0, max: HOUR }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const one = phone();
        for (const { back, ms } of steps) {
          if (back) one.set(-ms);
          else one.awake(ms);
          // Within the usual difference of the two clocks.
          expect(Math.abs(one.clock.now() - one.real)).toBeLessThanOrEqual(2000);
        }
      }),
    );
  });
});
