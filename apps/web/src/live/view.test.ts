import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TickingClock } from './ticking-clock.ts';

describe('the clock of a view', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1000 }));
  afterEach(() => void vi.useRealTimers());

  it('ticks once a second for all who listen, and not when nobody does', () => {
    const clock = new TickingClock(Date.now);
    const [one, other] = [vi.fn(), vi.fn()];
    vi.advanceTimersByTime(5000);
    expect(clock.ticked()).toBe(1000);
    const ends = [clock.subscribe(one), clock.subscribe(other)];
    expect(clock.ticked()).toBe(6000);
    vi.advanceTimersByTime(2500);
    expect([one.mock.calls.length, other.mock.calls.length, clock.ticked()]).toEqual([2, 2, 8000]);
    for (const end of ends) end();
    vi.advanceTimersByTime(5000);
    expect([one.mock.calls.length, clock.ticked(), vi.getTimerCount()]).toEqual([2, 8000, 0]);
  });
});

it('pages take positions and clock from their view, so that they can show another one', () => {
  const root = new URL('../', import.meta.url);
  const direct = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && !path.startsWith('live/'))
    .flatMap(path => {
      const names = /import \{([^}]*)\} from '[^']*\/live\/live\.ts'/.exec(
        readFileSync(new URL(path, root), 'utf8'),
      )?.[1];
      return names?.includes('positions') || names?.includes('serverClock') ? path : [];
    });
  expect(direct).toEqual([]);
});
