import { useAnnouncement } from './announce.ts';
import styles from './LiveRegion.module.css';

export function LiveRegion() {
  const { text, count } = useAnnouncement();
  return (
    <div className={styles.hidden} role="status" aria-live="polite">
      {/* A new element each time, so that the same sentence twice is read twice. */}
      <span key={count}>{text}</span>
    </div>
  );
}
