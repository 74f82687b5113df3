import styles from './Sparkline.module.css';

const [WIDTH, HEIGHT, EDGE] = [100, 32, 3];

/** A figure by day, with gaps for days without one. Decorative: the tile has the figures as text. */
export function Sparkline({ series }: { readonly series: readonly (number | null)[] }) {
  const known = series.flatMap(value => value ?? []);
  if (known.length < 2) return <div className={styles.line} />;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (nth: number): number => (nth / Math.max(1, series.length - 1)) * WIDTH;
  const y = (value: number): number =>
    most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((value - least) / (most - least)) * (HEIGHT - 2 * EDGE);
  const path = series
    .map((value, nth) => {
      if (value === null) return '';
      const isJoined = nth > 0 && series[nth - 1] !== null;
      return `${isJoined ? 'L' : 'M'}${x(nth).toFixed(2)} ${y(value).toFixed(2)}`;
    })
    .join('');
  const last = series.findLastIndex(value => value !== null);
  return (
    <div className={styles.line}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
      </svg>
      <i style={{ left: `${x(last)}%`, top: `${(y(series[last] ?? 0) / HEIGHT) * 100}%` }} />
    </div>
  );
}
