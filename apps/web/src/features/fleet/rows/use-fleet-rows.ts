import { useEffect, useEffectEvent, useState } from 'react';
import { useConnection } from '../../../live/connection.ts';
import { usePast } from '../../../live/past.ts';
import { useClock, usePositions } from '../../../live/view.ts';
import type { FleetFacts } from '../facts.ts';
import type { FleetView } from '../state/fleet-url.ts';
import { type FleetRows, fleetRows, keepingOrder } from './fleet-rows.ts';

/** How often rows are sorted: nobody can read a list that keeps jumping. Cells update on their own. */
const EVERY_MS = 4000;

/**
 * A view's rows. User input applies at once; vehicle updates change the order every few seconds, and not while
 * `isHeld`.
 */
export function useFleetRows(
  { search, order, group }: Pick<FleetView, 'search' | 'order' | 'group'>,
  facts: FleetFacts,
  isHeld: () => boolean,
): FleetRows {
  const clock = useClock();
  const positions = usePositions();
  const picture = usePast()?.picture;
  const [rows, setRows] = useState(NO_ROWS);
  const read = useEffectEvent(() => fleetRows(positions, { search, order, group }, facts, clock.now()));

  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` reads these.
  useEffect(() => setRows(read()), [search, order, group, facts.folderOf, picture]);

  const refresh = useEffectEvent(() => {
    if (document.hidden) return;
    const fresh = read();
    setRows(before => (isHeld() ? keepingOrder(before, fresh, imei => positions.get(imei) !== undefined) : fresh));
  });
  // Day figures or alerts have changed: update figures at once, and the order as usual.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` reads these.
  useEffect(() => refresh(), [facts]);

  useEffect(() => {
    const timer = setInterval(() => refresh(), EVERY_MS);
    // Show the first vehicles at once, and any that are added or removed.
    const count = (): number | null => (positions.loaded ? positions.entries.size : null);
    let known = count();
    const end = positions.subscribe(() => {
      if (count() === known) return;
      known = count();
      refresh();
    });
    // All newest positions have just been reloaded.
    const endRead = useConnection.subscribe((now, before) => {
      if (now.updatedMs !== before.updatedMs) refresh();
    });
    const onVisibility = (): void => refresh();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearInterval(timer);
      end();
      endRead();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [positions]);

  return rows;
}

const NO_ROWS: FleetRows = fleetRows(
  { entries: new Map(), loaded: false },
  { search: { tokens: [], words: [] }, order: { column: 'unit', descending: false }, group: 'none' },
  {
    folderOf: () => null,
    sumsOf: () => null,
    days: null,
    departmentPathOf: () => [],
    alertsOf: () => undefined,
    expiryOf: () => 'fine',
  },
  0,
);
