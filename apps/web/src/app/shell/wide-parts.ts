import { useEffect, useState } from 'react';
import { loadChunk } from '../../base/chunks/load-chunk.ts';
import { useMedia } from '../../base/use-media.ts';
import type * as Wide from './Wide.tsx';

type WideParts = typeof Wide;

/** As in the style sheets: narrower windows are phones, with a bar at the bottom instead of the rail. */
const WIDE = '(min-width: 37.5em)';
let loaded: WideParts | null = null;

async function loadWideParts(): Promise<WideParts> {
  loaded ??= await loadChunk(() => import('./Wide.tsx'));
  return loaded;
}

/** Before the frame shows, so that a wide window never shows it without its rail. A phone doesn't load it. */
export async function loadForThisWidth(): Promise<void> {
  if (matchMedia(WIDE).matches) await loadWideParts();
}

/** What the frame shows only in wide windows; null in narrow ones, and until a window that became wide has loaded it. */
export function useWideParts(): WideParts | null {
  const isWide = useMedia(WIDE);
  const [parts, setParts] = useState(loaded);
  useEffect(() => {
    if (isWide) loadWideParts().then(setParts, () => {});
  }, [isWide]);
  return isWide ? parts : null;
}
