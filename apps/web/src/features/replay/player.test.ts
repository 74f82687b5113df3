import { beforeEach, describe, expect, it } from 'vitest';
import { Player } from './player.ts';

const HOUR = 3_600_000;
const RANGE = { fromMs: 0, toMs: 24 * HOUR };

/** Screen frames, triggered by the test. */
let draw: ((nowMs: number) => void) | null = null;
let nowMs = 0;
const make = (atMs = 0, speed: 1 | 60 | 600 = 60): Player =>
  new Player(RANGE, atMs, speed, next => {
    draw = next;
    return () => {
      draw = null;
    };
  });
function pass(ms: number, frameMs = 20): void {
  for (let passed = 0; passed <= ms; passed += frameMs) draw?.(nowMs + passed);
  nowMs += ms;
}
beforeEach(() => {
  draw = null;
  nowMs = 1000;
});

describe('[R2.06] the clock of a replay', () => {
  it.each([1, 60, 600] as const)('runs %s times as fast, however long a frame takes', speed => {
    for (const frameMs of [5, 20, 200]) {
      const player = make(HOUR, speed);
      player.play();
      pass(2000, frameMs);
      expect(player.atMs).toBe(HOUR + 2000 * speed);
    }
  });

  it('stands while nobody watches, and goes on from there', () => {
    const player = make();
    player.play();
    draw?.(0);
    draw?.(600_000);
    expect(player.atMs).toBe(250 * 60);
  });

  it('tells each frame to those who draw, and only seldom things to React', () => {
    const player = make();
    const frames: number[] = [];
    let renders = 0;
    player.onTime(atMs => frames.push(atMs));
    player.subscribe(() => renders++);
    player.play();
    pass(1000);
    expect(frames.length).toBeGreaterThan(50);
    expect(renders).toBe(1);
  });

  it('ends at the end, and begins anew from there', () => {
    const player = make(24 * HOUR - 1000);
    player.play();
    pass(500);
    expect([player.atMs, player.state.isPlaying, draw]).toEqual([24 * HOUR, false, null]);
    player.toggle();
    expect([player.atMs, player.state.isPlaying]).toEqual([0, true]);
  });

  it('goes round in its loop', () => {
    const player = make(HOUR);
    player.setLoop({ fromMs: HOUR, toMs: HOUR + 30_000 });
    player.play();
    for (let i = 0; i < 20; i++) {
      pass(100);
      expect(player.atMs).toBeGreaterThanOrEqual(HOUR);
      expect(player.atMs).toBeLessThan(HOUR + 30_000);
    }
    expect(player.state.isPlaying).toBe(true);
    player.setLoop({ fromMs: 5, toMs: 5 });
    expect(player.state.loop).toBeNull();
  });

  it('leaps over the time in which nobody drives, unless told not to', () => {
    const player = make(HOUR - 3000);
    player.setQuiet([{ fromMs: HOUR, toMs: 9 * HOUR }]);
    player.skipStops(true);
    player.play();
    pass(100);
    expect(player.atMs).toBeGreaterThanOrEqual(9 * HOUR - 10_000);
    player.skipStops(false);
    player.seek(HOUR);
    pass(1000);
    expect(player.atMs).toBeLessThan(2 * HOUR);
  });

  it('stays within its range', () => {
    const player = make();
    player.step(-HOUR);
    expect(player.atMs).toBe(0);
    player.seek(90 * HOUR);
    expect(player.atMs).toBe(24 * HOUR);
    for (let i = 0; i < 9; i++) player.changeSpeed(1);
    expect(player.state.speed).toBe(600);
    for (let i = 0; i < 9; i++) player.changeSpeed(-1);
    expect(player.state.speed).toBe(1);
  });
});
