import { metresPerSecond } from '@milepost/units';
import { speedFigure } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import type { Track } from '../../../tracks/unpack.ts';
import styles from './SpeedLane.module.css';

export const SPEED_LANE_PX = 60;
const [TOP, BOTTOM] = [10, 48];
/** The line is broken if there is no point for longer than this, in ms. */
const GAP_MS = 5 * 60_000;

interface Props {
  /** Of the vehicles of the day, in order. */
  readonly tracks: readonly Track[];
  readonly x: (ms: number) => number;
}

/** Speed over the day on the graph's time axis, with the highest speed of each pixel. */
export function SpeedLane({ tracks, x }: Props) {
  const system = useMeasureSystem();
  const timeMs = tracks.flatMap(track => [...track.timeMs]);
  const speed = tracks.flatMap(track => [...track.speed]);
  let most = 0;
  for (const value of speed) if (value > most) most = value;
  if (most === 0) return null;
  const y = (value: number): number => BOTTOM - (value / most) * (BOTTOM - TOP);
  let path = '';
  let lastMs = Number.NEGATIVE_INFINITY;
  let lastX = 0;
  let pixel = { at: Number.NEGATIVE_INFINITY, speed: 0 };
  const write = (): void => {
    path += `L${pixel.at} ${y(pixel.speed).toFixed(1)}`;
  };
  for (const [i, ms] of timeMs.entries()) {
    const value = Number.isNaN(speed[i]) ? 0 : (speed[i] ?? 0);
    const at = Math.round(x(ms));
    if (ms - lastMs > GAP_MS) {
      if (path !== '') {
        write();
        path += `L${lastX} ${BOTTOM}`;
      }
      path += `M${at} ${BOTTOM}`;
      pixel = { at, speed: value };
    } else if (at === pixel.at) pixel = { at, speed: Math.max(pixel.speed, value) };
    else {
      write();
      pixel = { at, speed: value };
    }
    lastMs = ms;
    lastX = at;
  }
  if (path !== '') {
    write();
    path += `L${lastX} ${BOTTOM}`;
  }
  const figure = speedFigure(metresPerSecond(most), system);
  const [start, end] = [x(timeMs[0] ?? 0), x(timeMs.at(-1) ?? 0)];
  return (
    <g>
      <path className={styles.grid} d={`M46 ${BOTTOM}H${Math.max(start, end)}`} />
      <path className={styles.speed} d={path} />
      <text className={styles.text} x={37} y={TOP + 5} textAnchor="end">
        {figure.value}
      </text>
      <text className={styles.text} x={37} y={BOTTOM + 2} textAnchor="end">
        {figure.unit}
      </text>
    </g>
  );
}
