import { type ReactNode, useEffect, useRef } from 'react';
import type { Spot } from './camera.ts';
import { useMap } from './map-context.ts';
import styles from './Pinned.module.css';

/** Stays at a place of the surrounding map, without a render for each frame. */
export function Pinned({ lat, lon, children }: Spot & { readonly children: ReactNode }) {
  const { map } = useMap();
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const place = (): void => {
      const { x, y } = map.project([lon, lat]);
      if (ref.current) ref.current.style.transform = `translate(${x}px, ${y}px)`;
    };
    place();
    map.on('move', place);
    map.on('resize', place);
    return () => {
      map.off('move', place);
      map.off('resize', place);
    };
  }, [map, lat, lon]);
  return (
    <span ref={ref} className={styles.pinned}>
      {children}
    </span>
  );
}
