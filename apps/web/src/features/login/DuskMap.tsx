import styles from './DuskMap.module.css';
import { BRANCH, CORRIDOR, COUNTY, CRESTS, INTERSTATES, LANES, RIDGES, RIVERS, ROADS } from './dusk-map-lines.ts';

const TOWNS = [
  ['Winchester', 652, 20, 'l'],
  ['Front Royal', 640, 62, 'm'],
  ['Woodstock', 536, 86, 'm'],
  ['Warrenton', 812, 170, 's'],
  ['Luray', 552, 196, 'm'],
  ['Harrisonburg', 386, 338, 'l'],
  ['Culpeper', 738, 300, 'm'],
  ['Staunton', 300, 484, 'l'],
  ['Waynesboro', 366, 540, 'm'],
  ['Charlottesville', 540, 560, 'l'],
  ['Lexington', 150, 676, 'm'],
] as const;
const RANGES = [
  ['Shenandoah Mtn', 254, 290, -53],
  ['Massanutten Mtn', 510, 184, -56],
  ['Blue Ridge', 478, 384, -51],
  ['Allegheny Mtn', 84, 344, -54],
] as const;
const SHIELDS = [
  [81, 483, 126],
  [81, 343, 380],
  [81, 196, 603],
  [66, 722, 88],
  [64, 452, 532],
  [64, 700, 588],
  [64, 52, 668],
] as const;
/** Mile markers of the interstate: label and position of the post's foot. */
const MARKERS = [
  [282, 470, 108],
  [262, 400, 238],
  [235, 296, 424],
  [213, 196, 572],
] as const;
/** Vehicles: unit, position and heading. */
const VEHICLES = [
  ['4118', 588, 22, 222],
  ['4127', 414, 262, 33],
  ['4236', 240, 548, 218],
  ['R-206', 468, 536, 96],
  ['4207', 92, 724, 33],
] as const;

/**
 * The picture on the sign-in page: an interstate at dusk with its mile markers. It is drawn as SVG, which takes only 5
 * kB.
 */
export function DuskMap({ label }: { readonly label: string }) {
  return (
    <svg
      className={styles.map}
      viewBox="0 0 860 900"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label={label}
    >
      <defs>
        <filter id="dusk-soft" x="-20%" y="-20%" width="140%" height="140%">
          <feGaussianBlur stdDeviation="16" />
        </filter>
      </defs>
      <g filter="url(#dusk-soft)" stroke="var(--m-wood)" className={styles.ridges}>
        {RIDGES.map(([width, d]) => (
          <path key={width} d={d} strokeWidth={width} />
        ))}
      </g>
      <path className={styles.crests} d={CRESTS} />
      <path className={styles.county} d={COUNTY} />
      <path className={styles.river} d={RIVERS} />
      <path className={styles.lane} d={LANES} />
      <path className={styles.roadCase} d={ROADS} />
      <path className={styles.road} d={ROADS} />
      <path className={styles.interstate} d={INTERSTATES} />
      <path className={styles.branch} d={BRANCH} />
      <path className={styles.glow} d={CORRIDOR} />
      <path className={styles.corridor} d={CORRIDOR} />

      {TOWNS.map(([name, x, y, size]) => (
        <text key={name} x={x} y={y} className={styles.town} data-size={size}>
          {name}
        </text>
      ))}
      {RANGES.map(([name, x, y, turn]) => (
        <text key={name} className={styles.range} transform={`translate(${x} ${y}) rotate(${turn})`}>
          {name}
        </text>
      ))}
      {SHIELDS.map(([number, x, y]) => (
        <g key={`${number}-${x}`} className={styles.shield} transform={`translate(${x} ${y})`}>
          <rect x="-8.5" y="-7" width="17" height="14" rx="3.5" />
          <text y="3.6">{number}</text>
        </g>
      ))}
      {MARKERS.map(([mile, x, y]) => (
        <g key={mile} className={styles.marker} transform={`translate(${x} ${y})`}>
          <path d="M0 0v-8" />
          <rect x="-13" y="-48" width="26" height="40" rx="3" />
          <text y="-34" className={styles.mile}>
            MILE
          </text>
          <text y="-17">{mile}</text>
        </g>
      ))}
      {VEHICLES.map(([unit, x, y, heading]) => (
        <g key={unit} className={styles.vehicle} transform={`translate(${x} ${y})`}>
          <path d="M0-10 7.5 8.5 0 4.4-7.5 8.5z" transform={`rotate(${heading})`} />
          <rect x="14" y="-8" width={unit.length * 6.6 + 10} height="16" rx="3" />
          <text x={19 + unit.length * 3.3} y="4">
            {unit}
          </text>
        </g>
      ))}
      <g className={styles.idle} transform="translate(540 222)">
        <circle r="7.5" />
        <path d="M-2.2-3v6M2.2-3v6" />
      </g>
    </svg>
  );
}
