import type { BaseMap } from '@milepost/contract';
import { type ReactNode, useState } from 'react';
import { Attribution } from './controls/Attribution.tsx';
import { Graticule } from './controls/Graticule.tsx';
import styles from './MapPane.module.css';
import { type MapTrouble, MapView } from './MapView.tsx';

interface Props {
  /** The base map; null while it isn't known. */
  readonly base: BaseMap | null;
  /** True when the user chose the built-in map over the installation's base map. */
  readonly outline?: boolean;
  /** Name of the map for screen readers. */
  readonly label: string;
  /** What to say where the browser can't draw maps. */
  readonly noMap: string;
  /** Only to look at: neither fingers nor keys move it, so the page scrolls under a finger. */
  readonly isStill?: boolean;
  /** Beside the attribution. */
  readonly foot?: ReactNode;
  /** Layers and controls. */
  readonly children: ReactNode;
}

/** A map that fills its place: with a grid while there are no tiles, the attribution, and a text instead without WebGL. */
export function MapPane({ base, outline = false, label, noMap, isStill = false, foot, children }: Props) {
  const [trouble, setTrouble] = useState<MapTrouble | null>(null);
  if (!base) return null;
  if (trouble === 'no-webgl') return <p className={styles.message}>{noMap}</p>;
  return (
    <MapView settings={base} outline={outline} isStill={isStill} label={label} onTrouble={setTrouble}>
      {children}
      {trouble === 'no-tiles' && <Graticule />}
      <div className={styles.foot}>
        {foot}
        <Attribution compact />
      </div>
    </MapView>
  );
}
