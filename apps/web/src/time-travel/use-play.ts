import { useEffect, useRef, useState } from 'react';

/** Seconds of the past in one second. */
export const PLAY_SPEEDS = [1, 10, 60] as const;
export type PlaySpeed = (typeof PLAY_SPEEDS)[number];

/** The shortest time between two pictures. */
const STEP_MS = 1000;

interface Playing {
  readonly atMs: number;
  /** The picture of `atMs` is not there yet. */
  readonly isReading: boolean;
  readonly hasFailed: boolean;
  readonly now: () => number;
  readonly onTime: (atMs: number) => void;
}

/**
 * Runs the past in proportion to real time: at most a picture a second, and after a slow one as long a pause as it took,
 * so that one user who plays keeps the server busy for half of the time at most. Stops at the present, on a failure, and
 * while the page is hidden.
 */
export function usePlay({ atMs, isReading, hasFailed, now, onTime }: Playing) {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<PlaySpeed>(10);
  /** When `atMs` was asked for, and the exact moment, of which the address has the whole second. */
  const asked = useRef({ atRealMs: performance.now(), exactMs: atMs });
  useEffect(() => {
    const { exactMs } = asked.current;
    const isOwn = Math.floor(exactMs / 1000) * 1000 === atMs;
    asked.current = { atRealMs: performance.now(), exactMs: isOwn ? exactMs : atMs };
  }, [atMs]);
  useEffect(() => {
    if (hasFailed) setPlaying(false);
  }, [hasFailed]);
  const next = useRef(onTime);
  next.current = onTime;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a moment that is known already is shown without reading.
  useEffect(() => {
    if (!isPlaying || isReading || hasFailed) return;
    const tookMs = performance.now() - asked.current.atRealMs;
    const timer = setTimeout(
      () => {
        if (document.hidden) {
          setPlaying(false);
          return;
        }
        const { atRealMs, exactMs } = asked.current;
        const toMs = exactMs + speed * (performance.now() - atRealMs);
        const lastMs = now();
        asked.current = { atRealMs: performance.now(), exactMs: toMs };
        if (toMs >= lastMs) setPlaying(false);
        next.current(Math.min(toMs, lastMs));
      },
      Math.max(STEP_MS, 2 * tookMs) - tookMs,
    );
    return () => clearTimeout(timer);
  }, [isPlaying, isReading, hasFailed, speed, atMs, now]);
  const toggle = (): void => {
    asked.current = { ...asked.current, atRealMs: performance.now() };
    setPlaying(!isPlaying);
  };
  return { isPlaying, speed, setSpeed, toggle };
}
