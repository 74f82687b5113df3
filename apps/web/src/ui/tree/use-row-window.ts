import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { type RowWindow, rowTops, scrollFor, windowOf } from './row-window.ts';

/** Rows to render until the height is known. Enough for any screen. */
const FIRST_ROWS = 30;

/** Renders only the rows in view, whatever their number. Heights must be known. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  heights: readonly number[],
): RowWindow & { readonly tops: Float64Array; readonly scrollTo: (index: number) => void } {
  const tops = useMemo(() => rowTops(heights), [heights]);
  const [seen, setSeen] = useState<RowWindow>({ first: 0, last: FIRST_ROWS });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = (): void => {
      const next = windowOf(tops, element.scrollTop, element.clientHeight);
      setSeen(before => (before.first === next.first && before.last === next.last ? before : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, tops]);

  return {
    first: Math.min(seen.first, heights.length),
    last: Math.min(seen.last, heights.length),
    tops,
    scrollTo(index) {
      const element = scroller.current;
      const to = element && scrollFor(tops, index, element.scrollTop, element.clientHeight);
      if (element && to !== null) element.scrollTop = to;
    },
  };
}
