import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { DatabaseClock, goBy } from './database-clock.ts';

const HOUR_MS = 3_600_000;

describe('the clock of the database', () => {
  it('is that of the machine until the database was asked, and then whatever the machine’s clock does', () => {
    let machine = 1_800_000_000_000;
    const clock = new DatabaseClock(() => machine);
    expect([clock.now(), clock.aheadMs]).toEqual([machine, 0]);
    const mono = performance.now();
    const at = machine - HOUR_MS;
    clock.hear(at, mono, mono);
    for (const jump of [0, HOUR_MS, -3 * HOUR_MS]) {
      machine += jump;
      const since = performance.now() - mono;
      expect(clock.now()).toBeGreaterThanOrEqual(Math.floor(at + since));
      expect(clock.now()).toBeLessThan(at + since + HOUR_MS / 60);
      expect(Math.abs(machine - clock.now() - clock.aheadMs)).toBeLessThan(1000);
    }
  });

  it('never contradicts what the database said, and answers that took long change what is known as little as they can', () => {
    const answer = fc.record({
      before: fc.nat(1e6),
      took: fc.nat(30_000),
      where: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(answer, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        (answers, offset) => {
          const clock = new DatabaseClock();
          let best = Number.POSITIVE_INFINITY;
          for (const { before, took, where } of answers) {
            clock.hear(before + took * where + offset, before, before + took);
            best = Math.min(best, took);
            expect(Math.abs(clock.now() - performance.now() - offset)).toBeLessThanOrEqual(best + 2);
          }
        },
      ),
    );
  });

  it('follows when the database’s own clock jumps', () => {
    const clock = new DatabaseClock();
    const mono = performance.now();
    clock.hear(1_800_000_000_000, mono, mono + 1);
    clock.hear(1_800_000_000_000 + HOUR_MS, mono, mono + 1);
    expect(clock.now()).toBeGreaterThanOrEqual(1_800_000_000_000 + HOUR_MS - 1);
  });
});

describe('a process that goes by a clock', () => {
  const machine = Date;
  let end = (): void => {};
  afterEach(() => end());

  it('has its time in everything that asks for one, and dates as ever', () => {
    end = goBy({ now: () => 90_000 });
    const made = new Date();
    expect([Date.now(), made.getTime(), Date().slice(0, 15)]).toEqual([
      90_000,
      90_000,
      new machine(90_000).toString().slice(0, 15),
    ]);
    expect([new Date(5).getTime(), new Date('2026-01-02T00:00:00Z').getTime(), new Date(2026, 0, 2).getTime()]).toEqual(
      [5, machine.UTC(2026, 0, 2), new machine(2026, 0, 2).getTime()],
    );
    expect([Date.parse('1970-01-01T00:00:01Z'), Date.UTC(1970, 0, 1)]).toEqual([1000, 0]);
    // Those that were made before, by others, or are copied are dates all the same.
    for (const date of [new Date(), new machine(5), structuredClone(new Date(5))]) expect(date).toBeInstanceOf(Date);
    end();
    expect(Date).toBe(machine);
  });
});
