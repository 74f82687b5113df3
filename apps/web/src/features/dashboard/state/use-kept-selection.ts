import { useEffect } from 'react';
import { useSession } from '../../../base/session/session.ts';
import type { PositionStore } from '../../../live/position-store.ts';
import { usePositions } from '../../../live/view.ts';
import { checkVehicles, useOrganisation } from '../../../organisation/organisation.ts';
import { forgetView, selectVehicles, unselectVehicles, useDashboard } from './dashboard-state.ts';

/** Whose selection it is, and whether what this browser kept of it has been taken up again. */
let owner: string | null = null;
let isRestored = false;

/**
 * The selected vehicles are those that are checked in their folders, and are kept as such between visits
 * [R3.04, R3.09]. An address that names others wins.
 */
export function useKeptSelection(): void {
  const positions = usePositions();
  const token = useSession(session => session.token);
  useEffect(() => {
    if (token !== owner) {
      if (owner !== null) forgetView();
      owner = token;
      isRestored = false;
    }
    const prune = (imeis: Iterable<string>): void => {
      if (!positions.loaded) return;
      const gone = [...imeis].filter(imei => !positions.get(imei));
      if (gone.length > 0) unselectVehicles(gone);
    };
    const restore = (): void => {
      const { folders } = useOrganisation.getState();
      if (isRestored || folders === null || !positions.loaded) return;
      isRestored = true;
      const checked = new Set(folders.flatMap(({ devices }) => devices.flatMap(one => (one.is_checked ? one.id : []))));
      const kept = [...positions.entries].flatMap(([imei, { vehicle }]) => (checked.has(vehicle.id) ? imei : []));
      const { selected } = useDashboard.getState();
      // An address named some, or someone was quicker: the checks follow them.
      if (selected.length > 0) keep(positions, selected, kept);
      else if (kept.length > 0) selectVehicles(kept);
    };
    // What is not in the account, or no longer, is not selected either.
    let isPruned = false;
    const onVehicles = (changed: ReadonlySet<string>): void => {
      restore();
      prune(isPruned ? changed : useDashboard.getState().selected);
      isPruned = positions.loaded;
    };
    onVehicles(new Set());
    const ends = [
      useOrganisation.subscribe(restore),
      positions.subscribe(onVehicles),
      useDashboard.subscribe((now, before) => {
        if (isRestored && now.selected !== before.selected) keep(positions, now.selected, before.selected);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [token, positions]);
}

function keep(positions: PositionStore, selected: readonly string[], before: readonly string[]): void {
  const [now, then] = [new Set(selected), new Set(before)];
  const idsOf = (imeis: ReadonlySet<string>) =>
    new Set([...imeis].flatMap(imei => positions.get(imei)?.vehicle.id ?? []));
  const [added, removed] = [idsOf(now.difference(then)), idsOf(then.difference(now))];
  if (added.size > 0) checkVehicles(added, true);
  if (removed.size > 0) checkVehicles(removed, false);
}
