import { useCallback, useEffect, useRef } from 'react';

/** For this long after the last pointer movement or key, the user is likely still reading a row. */
const STAYS_MS = 10_000;

/** Whether someone points at a list or works in it; its rows then stay where they are. */
export function useAttention() {
  const element = useRef<HTMLElement>(null);
  const lastMs = useRef(Number.NEGATIVE_INFINITY);

  useEffect(() => {
    const note = (event: Event): void => {
      if (element.current?.contains(event.target as Node)) lastMs.current = performance.now();
    };
    const leave = (event: PointerEvent): void => {
      const inside =
        element.current?.contains(event.target as Node) || element.current?.contains(document.activeElement);
      if (!inside) lastMs.current = Number.NEGATIVE_INFINITY;
    };
    for (const type of ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focusin'] as const) {
      document.addEventListener(type, note, { passive: true });
    }
    document.addEventListener('pointermove', leave, { passive: true });
    return () => {
      for (const type of ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focusin'] as const) {
        document.removeEventListener(type, note);
      }
      document.removeEventListener('pointermove', leave);
    };
  }, []);

  const isHeld = useCallback(() => performance.now() - lastMs.current < STAYS_MS, []);
  return { element, isHeld };
}
