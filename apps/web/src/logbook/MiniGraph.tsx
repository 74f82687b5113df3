import type { LogDay } from '@milepost/contract';
import { LINES, type Line, pathOf, spansOf } from './log-shape.ts';
import styles from './MiniGraph.module.css';

const [WIDTH, HEIGHT] = [86, 18];
const level = (line: Line): number => 3 + LINES.indexOf(line) * 4;

/** A day's graph as small as a word. Decorative: its totals are beside it. */
export function MiniGraph({ day, current = false }: { readonly day: Days; readonly current?: boolean }) {
  const [from, to] = [Date.parse(day.from), Date.parse(day.to)];
  const x = (ms: number): number => 1 + ((ms - from) / (to - from)) * (WIDTH - 2);
  return (
    <svg
      className={styles.graph}
      data-current={current || undefined}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <path className={styles.lines} d={LINES.map(line => `M1 ${level(line)}H${WIDTH - 1}`).join('')} />
      <path className={styles.path} d={pathOf(spansOf(day), x, level)} />
    </svg>
  );
}

type Days = Pick<LogDay, 'from' | 'to' | 'segments'>;
