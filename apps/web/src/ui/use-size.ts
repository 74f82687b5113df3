import { type RefCallback, useCallback, useState } from 'react';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of an element in the layout, kept up to date. */
export function useSize(): [RefCallback<HTMLElement>, Size] {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { offsetWidth: width, offsetHeight: height } = element;
      setSize(before => (before.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      setSize({ width: 0, height: 0 });
    };
  }, []);
  return [ref, size];
}
