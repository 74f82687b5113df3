import type { ReactNode } from 'react';
import { Chip } from './Chip.tsx';
import styles from './JobRow.module.css';

/** The color of each state of a job. */
const JOB_TONES = {
  waiting: 'neutral',
  running: 'info',
  stopping: 'warning',
  done: 'ok',
  failed: 'critical',
  cancelled: 'neutral',
} as const;

type JobRowState = keyof typeof JOB_TONES;

interface Props {
  readonly title: string;
  readonly state: JobRowState;
  readonly stateText: string;
  /** Who or what it is about, under the title. */
  readonly about: ReactNode;
  /** While it is open. `text` says it, such as `3 of 41 vehicles`. */
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly label: string;
    readonly text: string;
  } | null;
  /** Why it failed. */
  readonly problem: string | null;
  /** The outcome. */
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** Work that goes on without the user: its progress and its outcome. In a list with the class `list`. */
export function JobRow({ title, state, stateText, about, progress, problem, children, actions }: Props) {
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <b>{title}</b> <Chip tone={JOB_TONES[state]}>{stateText}</Chip>
        <small>{about}</small>
        {progress && (
          <small className={styles.progress}>
            <progress value={progress.done} max={progress.total} aria-label={progress.label} />
            <span>{progress.text}</span>
          </small>
        )}
        {problem !== null && <small className={styles.problem}>{problem}</small>}
        {children}
      </div>
      <div className={styles.actions}>{actions}</div>
    </li>
  );
}
