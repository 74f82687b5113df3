import { useMemo, useRef } from 'react';
import type { Measures } from '../../tracks/measures.ts';
import { colorToken } from './colors.ts';
import type { Past } from './past.ts';
import type { ReplayedVehicle } from './replay-tracks.ts';

/** The vehicles whose past has loaded, as they are drawn, in the order of the IDs. */
export function useReplayed(
  ids: readonly string[],
  names: ReadonlyMap<string, string>,
  pasts: ReadonlyMap<string, Past>,
  measures: ReadonlyMap<string, Measures>,
): readonly ReplayedVehicle[] {
  const who = ids.join(',');
  const replayed = useRef(new WeakMap<Past, ReplayedVehicle>());
  return useMemo(
    () =>
      who.split(',').flatMap((id, nth) => {
        const past = pasts.get(id);
        if (!past) return [];
        const next = { past, name: names.get(id) ?? '', color: colorToken(nth), measures: measures.get(id) ?? null };
        const before = replayed.current.get(past);
        const isSame = before?.name === next.name && before.color === next.color && before.measures === next.measures;
        // Return the same object, so that what is drawn of it stays.
        const vehicle = before && isSame ? before : next;
        replayed.current.set(past, vehicle);
        return [vehicle];
      }),
    [who, pasts, names, measures],
  );
}
