import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId, useRef } from 'react';
import styles from './Dialog.module.css';
import { IconButton } from './IconButton.tsx';
import { useModal } from './use-modal.ts';

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly closeLabel: string;
  /** Screen readers read an `alertdialog` at once. A click outside it doesn't close it. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly describedBy?: string;
  readonly subtitle?: string | undefined;
  /** Drawn before the title. */
  readonly art?: ReactNode;
  /**
   * For dialogs with columns: wide, with a line below the title. The content extends to the edges and does its own
   * scrolling.
   */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/**
 * The browser's own modal dialog: it keeps the focus inside, makes the rest of the page inert, closes on Esc and
 * returns the focus. At first the focus is on `[data-autofocus]` or, without that, on the panel. On a phone the dialog
 * is a sheet at the bottom, except for an alert, which stays in the middle.
 */
export function Dialog({
  open,
  onClose,
  title,
  closeLabel,
  role = 'dialog',
  describedBy,
  subtitle,
  art,
  wide = false,
  children,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const pressedBeside = useRef(false);
  const titleId = useId();

  useModal(dialog, open, element => {
    // The browser would focus the first control, which is the close button. Focusing the panel makes screen readers
    // read the title.
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? panel.current)?.focus();
  });

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it too, through the cancel event.
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-role={role}
      data-wide={wide || undefined}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      onCancel={event => {
        // A file input fires the same event when the user cancels the choice, and it bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // Only clicks on the backdrop have the dialog element as their target, because the panel covers the rest. If the
      // user starts to select text inside and ends outside, the click also has the dialog as its target, but the press
      // began inside.
      onPointerDown={event => {
        pressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={event => {
        if (event.target === event.currentTarget && pressedBeside.current && role === 'dialog') onClose();
      }}
    >
      {open && (
        <div ref={panel} className={styles.panel} tabIndex={-1}>
          <header className={styles.head}>
            {art}
            <div>
              <h2 id={titleId}>{title}</h2>
              {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
            </div>
            <IconButton label={closeLabel} className={styles.close} onClick={onClose}>
              <IconX size={18} stroke={1.75} aria-hidden />
            </IconButton>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
