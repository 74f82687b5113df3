import { useMeasureSystem } from '../../format/use-measure-system.ts';
import styles from './ScaleBar.module.css';
import { scaleOf } from './scale.ts';
import { useMapAtRest } from './use-map-at-rest.ts';

const MAX_PX = 90;
/** Meters per pixel at zoom 0 on the equator, with tiles of 512 pixels. */
const EQUATOR = 78_271.517;

/** The scale in the middle of the map. */
export function ScaleBar() {
  const system = useMeasureSystem();
  const metresPerPixel = useMapAtRest(
    map => (EQUATOR * Math.cos((map.getCenter().lat * Math.PI) / 180)) / 2 ** map.getZoom(),
  );
  const { px, label } = scaleOf(metresPerPixel, MAX_PX, system);
  return (
    <div className={styles.scale}>
      <i style={{ width: px }} />
      {label}
    </div>
  );
}
