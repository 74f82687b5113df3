import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../base/copy-text.ts';
import { describeError } from '../base/describe-error.ts';
import { RetryButton } from '../base/RetryButton.tsx';
import { Skeleton } from '../base/Skeleton.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyRoad } from '../ui/EmptyRoad.tsx';
import styles from './RegistryState.module.css';

interface Props {
  /** Number of items in the whole list; undefined until it has loaded. */
  readonly total: number | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Clears the search and filters. */
  readonly onClear: () => void;
  readonly empty: { readonly title: string; readonly text: string; readonly action?: ReactNode };
}

/** Shown instead of rows: the list is loading, failed to load, is empty, or has no matches. */
export function RegistryState({ total, error, onRetry, onClear, empty }: Props) {
  const { t } = useTranslation('registry');
  if (total === undefined)
    return error ? <Failed error={error} onRetry={onRetry} /> : <Skeleton bones={8} className={styles.skeleton} />;
  if (total > 0) {
    return (
      <div className={styles.state}>
        <h2>{t('noResults.title')}</h2>
        <p>{t('noResults.text')}</p>
        <div className={styles.actions}>
          <Button onClick={onClear}>{t('noResults.action')}</Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.state}>
      <EmptyRoad />
      <h2>{empty.title}</h2>
      <p>{empty.text}</p>
      {empty.action && <div className={styles.actions}>{empty.action}</div>}
    </div>
  );
}

function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const { t } = useTranslation(['registry', 'errors']);
  const { message, reference } = describeError(error);
  const copy = (): void => void copyText(`${location.href}\n${message}\n${reference ?? ''}`, t('errors:copied'));
  return (
    <div className={styles.state} role="alert">
      <h2>{t('failed')}</h2>
      <p>{message}</p>
      <div className={styles.actions}>
        <RetryButton error={error} onRetry={onRetry} variant="primary" />
        <Button onClick={copy}>{t('errors:copyDetails')}</Button>
      </div>
    </div>
  );
}
