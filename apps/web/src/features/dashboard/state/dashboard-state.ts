import type { VehicleStatus } from '@milepost/geo';
import { create } from 'zustand';
import { clear, remove, type Selection, select, setCurrent, showOnly } from './selection.ts';
import { type CardTab, DEFAULT_VIEW, type Sort, type View } from './url-state.ts';

export const TRAILS = ['off', '10m', '1h', 'today'] as const;
export type TrailWindow = (typeof TRAILS)[number];

/** What the user has chosen on this page. Positions are not here: they live in the store outside React. */
interface DashboardState extends View {
  readonly only: string | null;
  /** The map moves along with the current vehicle. */
  readonly follows: boolean;
  readonly trail: TrailWindow;
}

export const useDashboard = create<DashboardState>(() => ({
  ...DEFAULT_VIEW,
  only: null,
  follows: false,
  trail: '1h',
}));

const set = useDashboard.setState;

/** Takes over what an address says; everything else starts anew. */
export function openView(view: View): void {
  const selected = view.current === null ? view.selected : setCurrent(selectionOf(view), view.current).selected;
  set({ ...view, selected, only: null, follows: false });
}

const selectionOf = ({ selected, current }: View): Selection => ({ selected, current, only: null });

const onSelection =
  <A extends unknown[]>(rule: (selection: Selection, ...args: A) => Selection) =>
  (...args: A): void =>
    set(state => {
      const next = rule(state, ...args);
      // A newly chosen vehicle is not followed before someone says so.
      return { ...next, follows: state.follows && next.current === state.current };
    });

export const selectVehicle = onSelection(select);
export const unselectVehicle = onSelection(remove);
export const setCurrentVehicle = onSelection(setCurrent);
export const showOnlyVehicle = onSelection(showOnly);
export const clearSelection = onSelection(clear);

export function toggleVehicle(imei: string): void {
  if (useDashboard.getState().selected.includes(imei)) unselectVehicle(imei);
  else selectVehicle(imei);
}

export const search = (query: string): void => set({ query });
export const sortBy = (sort: Sort): void => set({ sort });
export const chooseTab = (tab: CardTab): void => set({ tab });
export const follow = (follows: boolean): void => set(({ current }) => ({ follows: follows && current !== null }));
export const chooseTrail = (trail: TrailWindow): void => set({ trail });
export const clearFilters = (): void => set({ query: '', statuses: new Set() });

export function toggleStatus(status: VehicleStatus): void {
  set(({ statuses }) => {
    const next = new Set(statuses);
    if (!next.delete(status)) next.add(status);
    return { statuses: next };
  });
}
