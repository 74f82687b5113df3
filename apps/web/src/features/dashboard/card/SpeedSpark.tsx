import type { Vehicle } from '@milepost/contract';
import type { MetresPerSecond } from '@milepost/units';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackPoint } from '../../../map/trail/trail.ts';
import { useTrack } from '../use-track.ts';
import styles from './SpeedSpark.module.css';

const WIDTH = 130;
const HEIGHT = 34;
const EDGE = 3;
const HOUR_MS = 3_600_000;
/** More points than pixels would only add noise. */
const MAX_POINTS = 120;

interface Sample {
  readonly timeMs: number;
  readonly speed: MetresPerSecond;
}

interface Props {
  readonly vehicle: Vehicle;
  /** Formats a speed in the user's units. */
  readonly describe: (speed: MetresPerSecond) => string;
}

/** Speed over the last hour as a line: enough to see a stop, a jam or a run. */
export function SpeedSpark({ vehicle, describe }: Props) {
  const { t } = useTranslation('dashboard');
  const { points: track } = useTrack(vehicle, '1h');
  const samples = useMemo(() => samplesOf(track), [track]);
  const last = samples.at(-1);
  if (!last || samples.length < 3) return null;
  const max = samples.reduce((most, { speed }) => (speed > most ? speed : most), last.speed);
  const x = (timeMs: number): number => EDGE + ((timeMs - (last.timeMs - HOUR_MS)) / HOUR_MS) * (WIDTH - 2 * EDGE);
  const y = (speed: number): number => HEIGHT - EDGE - (max === 0 ? 0 : (speed / max) * (HEIGHT - 2 * EDGE));
  const points = samples.map(({ timeMs, speed }) => `${x(timeMs).toFixed(1)},${y(speed).toFixed(1)}`).join(' ');
  return (
    <div className={styles.spark}>
      <svg
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={t('now.spark', { max: describe(max) })}
      >
        <polyline points={points} fill="none" stroke="var(--brand2)" strokeWidth="1.6" strokeLinejoin="round" />
        <circle cx={x(last.timeMs)} cy={y(last.speed)} r="2.4" fill="var(--brand2)" />
      </svg>
      <span className={styles.key} aria-hidden="true">
        {t('now.sparkKey')}
        <br />
        {t('now.sparkMax', { max: describe(max) })}
      </span>
    </div>
  );
}

/** The last hour before the newest report, thinned to what can be drawn. Each bucket keeps its highest speed. */
function samplesOf(track: readonly TrackPoint[]): Sample[] {
  const all = track
    .flatMap(({ timeMs, speed }): Sample[] => (speed === null ? [] : [{ timeMs, speed }]))
    .sort((a, b) => a.timeMs - b.timeMs);
  const fromMs = (all.at(-1)?.timeMs ?? 0) - HOUR_MS;
  const recent = all.filter(({ timeMs }) => timeMs >= fromMs);
  const bucket = Math.ceil(recent.length / MAX_POINTS);
  if (bucket < 2) return recent;
  const thin: Sample[] = [];
  for (let i = 0; i < recent.length; i += bucket) {
    const part = recent.slice(i, i + bucket);
    thin.push(part.reduce((highest, sample) => (sample.speed > highest.speed ? sample : highest)));
  }
  return thin;
}
