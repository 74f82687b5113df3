import { useEffect, useRef } from 'react';
import { useMap } from '../../../../map/map-context.ts';

/** Keys that work only while the map itself has the focus; no other handler gets them then. */
export function useMapKeys(keys: Readonly<Record<string, () => void>>): void {
  const { map } = useMap();
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const canvas = map.getCanvas();
    const onKey = (event: KeyboardEvent): void => {
      const run = latest.current[event.key];
      if (!run || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      run();
    };
    canvas.addEventListener('keydown', onKey);
    return () => canvas.removeEventListener('keydown', onKey);
  }, [map]);
}
