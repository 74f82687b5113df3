import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/IconButton.tsx';
import { useFocusAfter } from './focus-list.ts';
import styles from './Inspector.module.css';

interface Props {
  /** ID of the item shown. When it changes, the focus moves to the drawer again. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: ReactNode;
  /** A picture or plate beside the title. */
  readonly art?: ReactNode;
  /** Name for screen readers, if the title isn't clear enough. */
  readonly label?: string;
  /** For a drawer with much content: as wide as the page below 1024 px. */
  readonly wide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The drawer for one row: docked beside the list from 1440 px, over the list on smaller screens, and the whole page on
 * a phone.
 */
export function Inspector({ id, title, subtitle, art, label = title, wide = false, onClose, children }: Props) {
  const { t } = useTranslation('registry');
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is another drawer.
  useEffect(() => {
    opener.current = document.activeElement;
    panel.current?.focus({ preventScroll: true });
  }, [id]);

  // The drawer may close because its record was deleted, together with the row that opened it.
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
        // An open menu or dialog inside closes first.
        if (event.key !== 'Escape' || document.querySelector('dialog[open], [popover="auto"]:popover-open')) return;
        event.stopPropagation();
        // Otherwise the same key press would also close the question about unsaved changes.
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

/** The part of a drawer that scrolls. */
export const InspectorBody = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.body}>{children}</div>
);

/** The actions at the bottom of a drawer, always in view. */
export const InspectorFoot = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.foot}>{children}</div>
);
