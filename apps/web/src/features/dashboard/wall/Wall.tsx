import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipBack, IconPlayerSkipForward, IconX } from '@tabler/icons-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../../format/time.ts';
import { usePositionsFreshness } from '../../../live/freshness/use-freshness.ts';
import { useNow, usePositions } from '../../../live/view.ts';
import { useOrganisation } from '../../../organisation/organisation.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { FleetList } from '../list/fleet-list.ts';
import { fleetTree } from '../list/fleet-tree.ts';
import type { MapHandle } from '../map/FleetMap.tsx';
import { follow, setCurrentVehicle, setStage, useDashboard } from '../state/dashboard-state.ts';
import { useWakeLock } from './use-wake-lock.ts';
import styles from './Wall.module.css';
import { WallCaption } from './WallCaption.tsx';
import { type WallStop, wallStops } from './wall-stops.ts';

/** Long enough to read from across a room. */
const STOP_MS = 15_000;
/** The controls hide this long after the last pointer movement. */
const CONTROLS_MS = 3000;

interface Props {
  readonly list: FleetList;
  readonly map: RefObject<MapHandle | null>;
}

/** The wall display: moves from vehicle to vehicle, or folder to folder, until stopped. */
export function Wall({ list, map }: Props) {
  const { t } = useTranslation(['dashboardMap', 'dashboard']);
  const positions = usePositions();
  const selected = useDashboard(state => state.selected);
  const folders = useOrganisation(state => state.folders);
  const noFolder = t('dashboard:list.noFolder');
  const stops = useMemo(
    () =>
      wallStops(
        selected.map(imei => positions.get(imei)),
        fleetTree(list.entries, folders ?? [], noFolder),
      ),
    [positions, selected, list.entries, folders, noFolder],
  );
  const [at, setAt] = useState(0);
  const [paused, setPaused] = useState(false);
  const stop = stops[((at % stops.length) + stops.length) % stops.length];
  useWakeLock();
  useShown(stop, map);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => setAt(at + 1), STOP_MS);
    return () => clearTimeout(timer);
  }, [at, paused]);

  const root = useRef<HTMLDivElement>(null);
  useEffect(() => root.current?.focus(), []);
  const controls = useControlsShown(root);
  const keys: Readonly<Record<string, () => void>> = {
    ' ': () => setPaused(!paused),
    ArrowRight: () => setAt(at + 1),
    ArrowLeft: () => setAt(at - 1),
    Escape: () => setStage('page'),
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields; this only has a name and keyboard shortcuts.
    <div
      ref={root}
      className={styles.wall}
      role="group"
      aria-label={t('wall.label')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it needs the focus to receive its keys.
      tabIndex={0}
      data-controls={controls || paused || undefined}
      onKeyDown={event => {
        const run = event.target instanceof HTMLButtonElement && event.key === ' ' ? undefined : keys[event.key];
        if (!run) return;
        event.preventDefault();
        event.stopPropagation();
        run();
      }}
    >
      <Clock />
      {stop && <WallCaption stop={stop} />}
      <div className={styles.controls}>
        {paused && <span>{t('wall.paused')}</span>}
        <IconButton label={t('wall.previous')} tooltip="top" onClick={keys.ArrowLeft}>
          <IconPlayerSkipBack {...ICON} />
        </IconButton>
        <IconButton label={t(paused ? 'wall.resume' : 'wall.pause')} tooltip="top" onClick={keys[' ']}>
          {paused ? <IconPlayerPlay {...ICON} /> : <IconPlayerPause {...ICON} />}
        </IconButton>
        <IconButton label={t('wall.next')} tooltip="top" onClick={keys.ArrowRight}>
          <IconPlayerSkipForward {...ICON} />
        </IconButton>
        <IconButton label={t('wall.leave')} tooltip="top" onClick={keys.Escape}>
          <IconX {...ICON} />
        </IconButton>
      </div>
    </div>
  );
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** The time, and whether the positions shown are current. */
function Clock() {
  const { t } = useTranslation('freshness');
  const nowMs = useNow();
  const freshness = usePositionsFreshness();
  return (
    <p className={styles.clock} data-freshness={freshness}>
      {freshness !== 'live' && <b>{t(freshness)}</b>}
      {formatClock(nowMs)}
    </p>
  );
}

/** Moves the map to a stop. When the wall closes, restores the vehicle that was current before. */
function useShown(stop: WallStop | undefined, map: RefObject<MapHandle | null>): void {
  const [before] = useState(() => useDashboard.getState().current);
  const latest = useRef(stop);
  latest.current = stop;
  const key = stop?.kind === 'vehicle' ? stop.imei : stop?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the list must not show the same stop again.
  useEffect(() => {
    const { current } = latest;
    if (current?.kind === 'vehicle') {
      setCurrentVehicle(current.imei);
      map.current?.show(current.imei);
      follow(true);
    } else if (current) {
      setCurrentVehicle(null);
      map.current?.fit(current.imeis);
    }
  }, [key, map]);
  useEffect(
    () => () => {
      setCurrentVehicle(before);
      follow(false);
    },
    [before],
  );
}

/** Controls show when the pointer moves or the keyboard reaches a button. */
function useControlsShown(root: RefObject<HTMLElement | null>): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const element = root.current;
    let timer: ReturnType<typeof setTimeout>;
    const show = (): void => {
      setShown(true);
      clearTimeout(timer);
      timer = setTimeout(() => setShown(false), CONTROLS_MS);
    };
    const events = ['pointermove', 'pointerdown', 'keydown'] as const;
    for (const name of events) element?.addEventListener(name, show);
    return () => {
      clearTimeout(timer);
      for (const name of events) element?.removeEventListener(name, show);
    };
  }, [root]);
  return shown;
}
