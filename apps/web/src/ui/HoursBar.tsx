import styles from './HoursBar.module.css';

const HOUR_S = 3600;
/** Clocks up to this length have a notch per hour. Longer ones, such as the cycle, have one every ten hours. */
const HOURLY_UP_TO_H = 16;
const AMBER_S = 2 * HOUR_S;
const RED_S = HOUR_S;

/**
 * How urgent the time left on a clock is, in seconds: `low` (amber) under two hours, `urgent` (red) under one, `over`
 * at zero.
 */
export const urgencyOf = (leftS: number): 'enough' | 'low' | 'urgent' | 'over' =>
  leftS <= 0 ? 'over' : leftS < RED_S ? 'urgent' : leftS < AMBER_S ? 'low' : 'enough';

/** A clock as a bar with notches. Hidden from screen readers, because the figure beside it says the same. */
export function HoursBar({ leftS, limitS }: { readonly leftS: number; readonly limitS: number }) {
  const hours = limitS / HOUR_S;
  const notches = hours <= HOURLY_UP_TO_H ? hours : hours / 10;
  const share = limitS > 0 ? Math.max(0, Math.min(1, leftS / limitS)) : 0;
  return (
    <span
      className={styles.bar}
      data-urgency={urgencyOf(leftS)}
      style={{ '--notches': notches } as React.CSSProperties}
      aria-hidden="true"
    >
      <i style={{ width: `${(share * 100).toFixed(2)}%` }} />
    </span>
  );
}
