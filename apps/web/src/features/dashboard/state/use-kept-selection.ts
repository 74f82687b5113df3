import { useEffect } from 'react';
import { useSession } from '../../../base/session/session.ts';
import type { PositionStore } from '../../../live/position-store.ts';
import { usePositions } from '../../../live/view.ts';
import { checkVehicles, useOrganisation } from '../../../organisation/organisation.ts';
import { forgetView, selectVehicles, unselectVehicles, useDashboard } from './dashboard-state.ts';

/** Whose selection this is, and whether what this browser saved for them has been restored. */
let owner: string | null = null;
let isRestored = false;

/**
 * Selected vehicles are the checked ones in the folder tree. They are kept between visits [R3.04, R3.09], unless an
 * address names others.
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
      // If the address or the user already selected vehicles, save those instead.
      if (selected.length > 0) keep(positions, selected, kept);
      else if (kept.length > 0) selectVehicles(kept);
    };
    // Remove vehicles from the selection that are not, or no longer, in the account.
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
