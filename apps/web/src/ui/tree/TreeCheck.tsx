import styles from './TreeCheck.module.css';
import type { Check } from './tree-rows.ts';

/** A row's checkbox. For screen readers, the row itself has the state, and the space bar toggles it. */
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
