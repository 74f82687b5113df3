import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import styles from './RemoveDialog.module.css';
import { TextField } from './TextField.tsx';

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly title: string;
  /** The exact text that the user must type to enable the button. */
  readonly word: string;
  readonly wordLabel: string;
  readonly confirmLabel: string;
  readonly cancelLabel: string;
  readonly closeLabel: string;
  readonly busy?: boolean;
  readonly error?: string | undefined;
  /** Lists what is deleted too and what stays. */
  readonly children: ReactNode;
}

/** Asks the user to type the name before deleting. */
export function RemoveDialog(props: Props) {
  const { open, onClose, title, closeLabel } = props;
  return (
    <Dialog open={open} onClose={onClose} title={title} closeLabel={closeLabel}>
      <Question {...props} />
    </Dialog>
  );
}

function Question({ onClose, onConfirm, word, wordLabel, confirmLabel, cancelLabel, busy, error, children }: Props) {
  const [typed, setTyped] = useState('');
  const matches = typed.trim() === word;
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        if (matches && !busy) onConfirm();
      }}
    >
      <div className={styles.text}>{children}</div>
      <TextField
        label={wordLabel}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        error={error}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <div className={styles.actions}>
        <Button onClick={onClose}>{cancelLabel}</Button>
        <Button type="submit" variant="danger" disabled={!matches} busy={busy ?? false}>
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
}
