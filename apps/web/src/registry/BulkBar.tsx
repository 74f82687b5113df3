import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './BulkBar.module.css';
import { focusList } from './focus-list.ts';

interface Props {
  readonly count: number;
  readonly onClear: () => void;
  /** `BulkAction` elements. */
  readonly children: ReactNode;
}

/** Actions for all selected rows, at the bottom of the list. */
export function BulkBar({ count, onClear, children }: Props) {
  const { t } = useTranslation('registry');
  return (
    <div className={styles.place}>
      <p className={styles.hidden} role="status">
        {count > 0 && t('selected', { count })}
      </p>
      {count > 0 && (
        <div className={styles.bar} role="toolbar" aria-label={t('selected', { count })}>
          <b>{t('selected', { count })}</b>
          {children}
          <button
            type="button"
            aria-label={t('clearSelection')}
            className={styles.clear}
            onClick={() => {
              onClear();
              focusList();
            }}
          >
            <IconX size={18} stroke={1.75} aria-hidden />
          </button>
        </div>
      )}
    </div>
  );
}

export function BulkAction({
  icon,
  onClick,
  reason = null,
  children,
}: {
  readonly icon: ReactNode;
  readonly onClick: () => void;
  /** Why the action is unavailable. The button stays visible, is disabled and shows this reason. */
  readonly reason?: string | null;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <button
      type="button"
      className={styles.action}
      aria-disabled={reason !== null || undefined}
      aria-describedby={reason === null ? undefined : id}
      data-tooltip={reason ?? undefined}
      data-tooltip-side="top"
      onClick={reason === null ? onClick : undefined}
    >
      {icon}
      {children}
      {reason !== null && (
        <span id={id} className={styles.hidden}>
          {reason}
        </span>
      )}
    </button>
  );
}
