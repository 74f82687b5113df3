import type { ReactNode } from 'react';
import styles from './ChoiceList.module.css';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** Checkboxes under a title. A long list scrolls on its own. */
export function ChoiceList({ title, children }: Props) {
  return (
    <fieldset className={styles.list}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
