import { useSyncExternalStore } from 'react';

/** Whether a media query matches, correct from the first render on. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    onChange => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}
