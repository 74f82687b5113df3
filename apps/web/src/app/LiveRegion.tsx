import { forgetAnnouncements, useAnnouncements } from '../base/announce.ts';
import { onSessionEnd } from '../base/session/session.ts';
import styles from './LiveRegion.module.css';

onSessionEnd(forgetAnnouncements);

/** A log: additions are read out after the current text, removals are not. */
export function LiveRegion() {
  const said = useAnnouncements();
  return (
    <div className={styles.hidden} role="log" aria-live="polite">
      {said.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
