import { useEffect, useState } from 'react';
import type { Spot } from '../camera.ts';
import { useMap } from '../map-context.ts';
import { themeInk } from '../theme-ink.ts';
import { SketchOverlay } from './sketch-overlay.ts';

/** Draws these lines on the surrounding map while mounted. */
export function useSketch(lines: readonly (readonly Spot[])[]): void {
  const { map, styleEpoch } = useMap();
  const [sketch] = useState(() => new SketchOverlay(map, token => themeInk()(token)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another style has no layers of ours.
  useEffect(() => {
    sketch.attach();
    return () => sketch.detach();
  }, [sketch, styleEpoch]);
  useEffect(() => sketch.draw(lines), [sketch, lines]);
}
