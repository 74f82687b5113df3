import type { BaseMap } from '@milepost/contract';
import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useColorScheme } from '../base/appearance.ts';
import { BUILT_IN, baseStyle, builtInBase } from './base/base-style.ts';
import { createMap } from './base/create-map.ts';
import { coverOf } from './base/street-cover.ts';
import { watchBaseTiles } from './base/watch-base-tiles.ts';
import styles from './MapView.module.css';
import { MapContext, type MapHandle } from './map-context.ts';

/** What is wrong with the base map, if anything. Vehicles are still drawn, except without WebGL. */
export type MapTrouble = 'no-webgl' | 'online-map-failed' | 'no-tiles';

interface Props {
  /** The base map that this installation uses. */
  readonly settings: BaseMap;
  /** True when the user chose the built-in map over the installation's base map. */
  readonly outline?: boolean;
  /** Neither fingers nor keys move it. */
  readonly isStill?: boolean;
  /** Name of the map for screen readers. */
  readonly label: string;
  readonly onTrouble: (trouble: MapTrouble | null) => void;
  /** Layers and controls, rendered once the map exists. */
  readonly children: ReactNode;
}

/** A MapLibre map as a component, created and removed with its element. */
export function MapView({ settings, outline = false, isStill = false, label, onTrouble, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const scheme = useColorScheme();
  const [handle, setHandle] = useState<Omit<MapHandle, 'streets'> | null>(null);
  const [onlineFailed, setOnlineFailed] = useState(false);
  /** The map to draw is not the built-in one. Every page starts with the built-in map and falls back to it. */
  const chosen = settings.kind !== 'built-in' && !outline && !onlineFailed;
  const report = useRef(onTrouble);
  report.current = onTrouble;
  const tilesWork = useRef<(works: boolean) => void>(() => {});
  tilesWork.current = works => {
    if (works) report.current(onlineFailed ? 'online-map-failed' : null);
    else if (chosen) setOnlineFailed(true);
    else report.current('no-tiles');
  };
  const watchAgain = useRef<(() => void) | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map is made once; its style follows below.
  useEffect(() => {
    if (!container.current) return;
    let map: MapLibreMap;
    try {
      map = createMap(container.current, builtInBase(), { label, base: settings, isStill });
    } catch {
      report.current('no-webgl');
      return;
    }
    watchAgain.current = watchBaseTiles(map, works => tilesWork.current(works));
    const onStyle = () => setHandle(before => ({ map, styleEpoch: before?.map === map ? before.styleEpoch + 1 : 0 }));
    map.on('style.load', onStyle);
    return () => {
      setHandle(null);
      map.remove();
    };
  }, []);

  const map = handle?.map;
  const drawn = useRef<string>('');
  useEffect(() => {
    if (!map) return;
    const wanted = `${chosen ? JSON.stringify(settings) : 'built-in'} ${scheme}`;
    // The map was created with the built-in style in the current color scheme, so the first run has nothing to do.
    const isFirst = drawn.current === '' && !chosen;
    if (wanted === drawn.current) return;
    drawn.current = wanted;
    if (isFirst) return;
    let gone = false;
    const show = (style: StyleSpecification) => {
      if (!gone) map.setStyle(style, { diff: false });
    };
    if (chosen) baseStyle(settings, scheme).then(show, () => setOnlineFailed(true));
    else show(builtInBase());
    return () => {
      gone = true;
    };
  }, [map, scheme, chosen, settings]);

  // When the user switches back to streets, they are tried again.
  useEffect(() => {
    if (outline) setOnlineFailed(false);
  }, [outline]);

  const watched = useRef({ chosen, onlineFailed });
  useEffect(() => {
    const { current: before } = watched;
    watched.current = { chosen, onlineFailed };
    if (before.chosen !== chosen || before.onlineFailed !== onlineFailed) watchAgain.current?.();
  }, [chosen, onlineFailed]);

  const streets = useMemo(() => coverOf(chosen ? settings : BUILT_IN), [chosen, settings]);
  const inside = useMemo(() => (handle ? { ...handle, streets } : null), [handle, streets]);
  return (
    <div className={styles.root}>
      <div className={styles.map} ref={container} />
      {inside && <MapContext value={inside}>{children}</MapContext>}
    </div>
  );
}
