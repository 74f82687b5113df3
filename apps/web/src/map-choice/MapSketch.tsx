import styles from './MapSketch.module.css';

/** A small picture of a kind of map in the map's colors: towns and highways, or streets, everywhere or in one area. */
export function MapSketch({ streets, area = false }: { readonly streets: boolean; readonly area?: boolean }) {
  return (
    <svg viewBox="0 0 320 150" className={styles.sketch} aria-hidden preserveAspectRatio="xMidYMid slice">
      <rect width="320" height="150" className={styles.land} />
      {streets ? <Streets /> : <Towns />}
      {area && <rect x="58" y="20" width="206" height="106" className={styles.area} />}
      <path d="M 196 62 l 7 18 l -7 -4 l -7 4 z" className={styles.vehicle} />
    </svg>
  );
}

const Towns = () => (
  <>
    <path d="M 0 24 C 70 50 120 10 190 34 S 280 20 320 40" className={styles.river} />
    <path d="M 0 112 C 90 80 130 100 196 78 S 290 60 320 20" className={styles.highway} />
    <path d="M 196 78 C 180 110 200 130 190 150" className={styles.highway} />
    <path d="M 196 78 C 186 50 200 20 192 0" className={styles.highway} />
    {[
      [96, 92],
      [250, 62],
      [188, 128],
      [262, 112],
      [60, 44],
    ].map(([x, y]) => (
      <circle key={x} cx={x} cy={y} r="3.2" className={styles.town} />
    ))}
  </>
);

const Streets = () => (
  <>
    <path d="M 0 128 C 60 100 120 150 150 150 H 0 Z" className={styles.water} />
    <g className={styles.street}>
      {[18, 52, 86, 120, 156, 232, 266, 300].map(x => (
        <path key={x} d={`M ${x} 0 L ${x - 14} 150`} />
      ))}
      {[16, 38, 82, 104, 126].map(y => (
        <path key={y} d={`M 0 ${y + 6} L 320 ${y - 8}`} />
      ))}
    </g>
    <path d="M 204 0 C 196 40 200 90 188 150" className={styles.highway} />
    <path d="M 0 66 L 320 50" className={styles.highway} />
  </>
);
