import { formatCount } from '../format/locale.ts';
import styles from './Segments.module.css';

interface Props<T extends string> {
  readonly segments: readonly {
    readonly id: T;
    readonly label: string;
    /** Number of items in this view; undefined while unknown. */
    readonly count?: number | undefined;
  }[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
  readonly label: string;
}

/** Buttons side by side that switch between a few views of the same data. */
export function Segments<T extends string>({ segments, chosen, onChoose, label }: Props<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend would be drawn; the group has only a name.
    <div className={styles.segments} role="group" aria-label={label}>
      {segments.map(({ id, label: name, count }) => (
        <button key={id} type="button" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
          {count === undefined ? name : `${name} · ${formatCount(count)}`}
        </button>
      ))}
    </div>
  );
}
