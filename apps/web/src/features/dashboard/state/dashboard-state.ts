import type { VehicleStatus } from '@milepost/geo';
import { create } from 'zustand';
import { type SearchToken, withoutToken, withToken } from '../../../search-tokens/search-text.ts';
import { clear, remove, removeAll, type Selection, select, selectAll, setCurrent, showOnly } from './selection.ts';
import { type AddressedView, type CardTab, DEFAULT_VIEW, type ListTab, type Sort, type View } from './url-state.ts';

export const TRAILS = ['off', '10m', '1h', 'today'] as const;
export type TrailWindow = (typeof TRAILS)[number];

/** The open map tool; one at a time. */
export type MapTool = 'measure' | 'nearest';
/** The open dialog and its vehicles. */
export interface OpenDialog {
  readonly kind: 'command' | 'share' | 'driver' | 'mute';
  readonly imeis: readonly string[];
}
/** The map as part of the page, full screen, or as a wall display that cycles through the vehicles. */
export type Stage = 'page' | 'full' | 'wall';

/** What the user has chosen on this page. Positions are not here; their store is outside React. */
interface DashboardState extends View {
  /** The map follows the current vehicle. */
  readonly follows: boolean;
  readonly trail: TrailWindow;
  /** Whether the fleet's roads are drawn. */
  readonly roads: boolean;
  readonly tool: MapTool | null;
  readonly stage: Stage;
  readonly dialog: OpenDialog | null;
}

const RESTING = { follows: false, tool: null, stage: 'page', dialog: null } as const;
const INITIAL: DashboardState = { ...DEFAULT_VIEW, ...RESTING, trail: '1h', roads: true };

export const useDashboard = create<DashboardState>(() => INITIAL);

const set = useDashboard.setState;

/**
 * Applies the view of an address. If the address names no selection, the current one stays; everything else is reset.
 */
export function openView(view: AddressedView): void {
  set(before => {
    const selected = view.selected ?? before.selected;
    const selection = { selected, current: null, only: false };
    const current = setCurrent(selection, view.current);
    const compares = view.compares && current.selected.length > 1;
    return { ...view, ...current, only: view.only, compares, ...RESTING, follows: view.follows };
  });
}

/** Called when another user has signed in. */
export const forgetView = (): void => set(INITIAL);

const onSelection =
  <A extends unknown[]>(rule: (selection: Selection, ...args: A) => Selection) =>
  (...args: A): void =>
    set(state => {
      const { selected, current, only } = rule(state, ...args);
      return {
        selected,
        current,
        only,
        // A newly chosen vehicle is not followed until the user asks for it.
        follows: state.follows && current === state.current,
        compares: state.compares && selected.length > 1,
      };
    });

const selectVehicle = onSelection(select);
export const selectVehicles = onSelection(selectAll);
export const unselectVehicle = onSelection(remove);
export const unselectVehicles = onSelection(removeAll);
export const setCurrentVehicle = onSelection(setCurrent);
export const showOnlyVehicle = onSelection(showOnly);
export const clearSelection = onSelection(clear);

export function toggleVehicle(imei: string): void {
  if (useDashboard.getState().selected.includes(imei)) unselectVehicle(imei);
  else selectVehicle(imei);
}

export const chooseList = (list: ListTab): void => set({ list });
export const search = (query: string): void => set({ query });
export const sortBy = (sort: Sort): void => set({ sort });
export const chooseTab = (tab: CardTab): void => set({ tab });
export const follow = (follows: boolean): void => set(({ current }) => ({ follows: follows && current !== null }));
export const chooseTrail = (trail: TrailWindow): void => set({ trail });
export const showRoads = (roads: boolean): void => set({ roads });
export const compare = (compares: boolean): void =>
  set(({ selected }) => ({ compares: compares && selected.length > 1, tool: null }));
export const openTool = (tool: MapTool | null): void => set({ tool });
export const openDialog = (kind: OpenDialog['kind'], imeis: readonly string[]): void =>
  set({ dialog: { kind, imeis } });
export const closeDialog = (): void => set({ dialog: null });
export const setStage = (stage: Stage): void => set({ stage });

export const setFilters = (tokens: readonly SearchToken[]): void => set({ tokens });
/** What Esc closes: the stage, else the tool, else the comparison. False if none is open. */
export function closeTopmost(): boolean {
  const { stage, tool, compares } = useDashboard.getState();
  if (stage !== 'page') setStage('page');
  else if (tool !== null) openTool(null);
  else if (compares) compare(false);
  else return false;
  return true;
}

const asSearch = (tokens: readonly SearchToken[]) => ({ tokens, words: [] });
export const addFilter = (token: SearchToken): void =>
  set(({ tokens }) => ({ tokens: withToken(asSearch(tokens), token).tokens }));
export const removeFilter = (token: SearchToken): void =>
  set(({ tokens }) => ({ tokens: withoutToken(asSearch(tokens), token).tokens }));
export const clearFilters = (): void => set({ query: '', tokens: [], statuses: new Set() });

export function toggleStatus(status: VehicleStatus): void {
  set(({ statuses }) => {
    const next = new Set(statuses);
    if (!next.delete(status)) next.add(status);
    return { statuses: next };
  });
}
