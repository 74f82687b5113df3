import { formatCount } from '../format/locale.ts';
import { StatusGlyph } from './StatusGlyph.tsx';
import styles from './StatusRibbon.module.css';
import { type ShapeName, shapeToken } from './status-shapes.ts';

export interface RibbonItem<S extends string> {
  readonly status: S;
  readonly shape: ShapeName;
  /** Name of the status. */
  readonly word: string;
  /** Number of vehicles; undefined while unknown. */
  readonly count: number | undefined;
}

interface Props<S extends string> {
  /** Items in the fixed order of statuses. */
  readonly items: readonly RibbonItem<S>[];
  readonly chosen: ReadonlySet<S>;
  readonly onToggle: (status: S) => void;
  readonly label: string;
  /** Draw separate round chips over a phone's map instead of one band. */
  readonly floating?: boolean;
}

/**
 * The number of vehicles in each status. Pressing a status shows only its vehicles. The colors only repeat what the
 * shapes say.
 */
export function StatusRibbon<S extends string>({ items, chosen, onToggle, label, floating = false }: Props<S>) {
  return (
    <fieldset className={styles.ribbon} aria-label={label} data-floating={floating || undefined}>
      {items.map(({ status, shape, word, count }) => (
        <button
          key={status}
          type="button"
          className={styles.item}
          style={{ '--c': `var(${shapeToken(shape)})`, '--share': shareOf(count) } as React.CSSProperties}
          aria-pressed={chosen.has(status)}
          aria-label={count === undefined ? word : `${word}: ${count}`}
          data-tooltip={word}
          data-tooltip-side="bottom"
          data-empty={count === 0 || undefined}
          onClick={() => onToggle(status)}
        >
          <StatusGlyph shape={shape} size={13} />
          {count !== undefined && <b>{formatCount(count)}</b>}
        </button>
      ))}
    </fieldset>
  );
}

/** An item's share of the width. Larger numbers get more, so that a thousand fits beside a one. */
const shareOf = (count = 0): number => 1 + 0.35 * (String(count).length - 1);
