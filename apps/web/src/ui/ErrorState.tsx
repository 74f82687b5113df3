import { IconAlertTriangle } from '@tabler/icons-react';
import { Button } from './Button.tsx';
import styles from './ErrorState.module.css';

interface Action {
  readonly label: string;
  readonly run: () => void;
}

/** A page or panel that could not do its work: what happened, what is kept, and the way on. */
export function ErrorState({
  title,
  text,
  action,
  secondary,
}: {
  readonly title: string;
  readonly text: string;
  readonly action: Action;
  readonly secondary?: Action;
}) {
  return (
    <div className={styles.state} role="alert">
      <IconAlertTriangle size={28} stroke={1.75} aria-hidden />
      <h2>{title}</h2>
      <p>{text}</p>
      <div className={styles.actions}>
        <Button variant="primary" onClick={action.run}>
          {action.label}
        </Button>
        {secondary && <Button onClick={secondary.run}>{secondary.label}</Button>}
      </div>
    </div>
  );
}
