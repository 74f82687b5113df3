import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/IconButton.tsx';
import { useFocusAfter } from './focus-list.ts';
import styles from './Inspector.module.css';

interface Props {
  /** Id of the shown item; a new id moves the focus again. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** A picture, a plate. */
  readonly art?: ReactNode;
  /** Its name for screen readers, where the title says less. */
  readonly label?: string;
  /** As wide as the page below 1024 px: there is more in it than a drawer holds. */
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The drawer of one row: docked beside the list from 1440 px, over it below, the whole page on a phone. */
export function Inspector({ id, title, subtitle, art, label = title, wide = false, onClose, children }: Props) {
  const { t } = useTranslation('registry');
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is another drawer.
  useEffect(() => {
    opener.current = document.activeElement;
    panel.current?.focus({ preventScroll: true });
  }, [id]);

  // It may close on its own, because its record was deleted, along with the row that opened it.
  useFocusAfter(panel);

  const close = (): void => {
    onClose();
    if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus();
  };

  return (
    <aside
      ref={panel}
      className={styles.inspector}
      tabIndex={-1}
      aria-label={label}
      data-wide={wide || undefined}
      onKeyDown={event => {
        // What is open inside, a menu or a dialog, closes first.
        if (event.key !== 'Escape' || document.querySelector('dialog[open], [popover="auto"]:popover-open')) return;
        event.stopPropagation();
        // The same key would close the question about unsaved changes as soon as it stands there.
        event.preventDefault();
        close();
      }}
    >
      <header className={styles.head}>
        {art}
        <div className={styles.names}>
          <h2>{title}</h2>
          {subtitle && <p>{subtitle}</p>}
        </div>
        <IconButton label={t('closeDrawer')} tooltip="left" onClick={close}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      {children}
    </aside>
  );
}

/** What scrolls in a drawer. */
export const InspectorBody = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.body}>{children}</div>
);

/** The actions at a drawer's end: always in view. */
export const InspectorFoot = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.foot}>{children}</div>
);
