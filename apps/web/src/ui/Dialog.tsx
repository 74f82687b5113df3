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
  /** An `alertdialog` is read out at once, and a click beside it doesn't close it. */
  readonly role?: 'dialog' | 'alertdialog';
  readonly describedBy?: string;
  readonly subtitle?: string | undefined;
  /** Drawn before the title. */
  readonly art?: ReactNode;
  /** For column layouts: wide, a line below the title, content to the edges that scrolls by itself. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/**
 * The browser's own modal dialog: it keeps the focus inside, makes the rest inert, closes on Esc and gives the focus
 * back. It starts on `[data-autofocus]`, if there is one. On a phone it is a sheet at the bottom, except for an alert, which stays in the middle.
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
    // The browser would choose the first control, which is the one that closes; the panel reads its title out.
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
        // A file input tells of a cancelled choice by the same event, and that one bubbles.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // The element itself is hit only on its backdrop: all that is inside lies on the panel. A selection that begins
      // inside and ends beside is a click on what holds both, the element.
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
