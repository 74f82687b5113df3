import styles from './TreeCheck.module.css';
import type { Check } from './tree-rows.ts';

/** The box of a row. The row itself carries the state for everyone who does not see it, and the space bar sets it. */
export function TreeCheck({ check, onToggle }: { readonly check: Check; readonly onToggle: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the space bar does it on the row.
    // biome-ignore lint/a11y/noStaticElementInteractions: a part of the row, which has role and state.
    <span
      className={styles.area}
      onClick={event => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <i className={styles.box} data-check={check} />
    </span>
  );
}
