import { forgetAnnouncements, useAnnouncements } from './announce.ts';
import styles from './LiveRegion.module.css';
import { onSessionEnd } from './session/session.ts';

onSessionEnd(forgetAnnouncements);

/** A log: what is added is read after what is being read, and what goes is not. */
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
