import { type RefObject, useLayoutEffect, useState } from 'react';

/** Rows drawn beyond the edges, so that a quick scroll shows no holes. */
const BEYOND = 8;
/** Enough to fill any first screen, until its height is known. */
const FIRST_ROWS = 30;

export interface ListWindow {
  /** Rows to draw: from `first` up to, but without, `last`. */
  readonly first: number;
  readonly last: number;
}

/** The rows of a list of equal heights that are in view, and a few more. */
export function windowOf(scrollTop: number, height: number, count: number, rowPx: number): ListWindow {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowPx)) - BEYOND);
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowPx) + BEYOND);
  return { first, last };
}

/** Draws a list of any length for the price of one screen. All rows are equally high, so their places are known. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
): ListWindow & { readonly scrollTo: (index: number) => void } {
  const [seen, setSeen] = useState<ListWindow>({ first: 0, last: FIRST_ROWS });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = (): void => {
      const next = windowOf(element.scrollTop, element.clientHeight, count, rowPx);
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
  }, [scroller, count, rowPx]);

  return {
    first: Math.min(seen.first, count),
    last: Math.min(seen.last, count),
    scrollTo(index) {
      const element = scroller.current;
      if (!element) return;
      const top = index * rowPx;
      const { scrollTop, clientHeight } = element;
      if (top < scrollTop) element.scrollTop = top;
      else if (top + rowPx > scrollTop + clientHeight) element.scrollTop = top + rowPx - clientHeight;
    },
  };
}
