import { forgetAnnouncements, useAnnouncements } from '../base/announce.ts';
import { onSessionEnd } from '../base/session/session.ts';
import styles from './LiveRegion.module.css';

onSessionEnd(forgetAnnouncements);

/** With the role `log`, screen readers read additions after the current text and ignore removals. */
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
