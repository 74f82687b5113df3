import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSettled } from './settled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  let value = 0;
  let onChange = () => {};
  const settled = createSettled(
    listener => {
      onChange = listener;
      return () => {
        onChange = () => {};
      };
    },
    () => value,
    1000,
  );
  const seen: number[] = [];
  const end = settled.subscribe(() => seen.push(settled.value()));
  const change = () => {
    value++;
    onChange();
  };
  return { change, seen, end };
}

it('tells the first change at once, then one in a second, and the last one always', () => {
  const { change, seen } = setUp();
  change();
  change();
  change();
  expect(seen).toEqual([1]);
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual([1, 3]);
  vi.advanceTimersByTime(5000);
  change();
  expect(seen).toEqual([1, 3, 4]);
});

it('tells nothing any more once nobody listens', () => {
  const { change, seen, end } = setUp();
  change();
  change();
  end();
  vi.advanceTimersByTime(5000);
  expect(seen).toEqual([1]);
});
