import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import styles from './SaveBar.module.css';
import type { Form } from './use-form.ts';

interface Props<V extends object> {
  readonly form: Form<V>;
  readonly label?: string;
  /** Shown at the other end of the bar: for example a button to reset or to sign a user out. */
  readonly children?: ReactNode;
}

/** The bar at the end of a form: the number of unsaved changes, and buttons to discard and save them. */
export function SaveBar<V extends object>({ form, label, children }: Props<V>) {
  const { t } = useTranslation('forms');
  const changes = form.changed.length;
  return (
    <div className={styles.bar} data-dirty={changes > 0 || undefined}>
      {children}
      <span className={styles.changes} role="status">
        {changes > 0 && t('unsaved', { count: changes })}
      </span>
      {changes > 0 && <Button onClick={form.discard}>{t('discard')}</Button>}
      <Button
        type="submit"
        variant="primary"
        busy={form.saving}
        disabled={changes === 0 && !form.saving}
        icon={<IconCheck size={16} stroke={1.75} aria-hidden />}
      >
        {label ?? t('save')}
      </Button>
    </div>
  );
}
