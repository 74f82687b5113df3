import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toast } from '../base/toasts/toast.ts';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './CopyLine.module.css';

interface Props {
  readonly text: string;
  /** Names the button. */
  readonly label: string;
  /** The message after copying. */
  readonly copied: string;
}

/** Something to take along, in the raw: a link, a key, a token. Where the browser may not copy, it can be selected. */
export function CopyLine({ text, label, copied }: Props) {
  const { t } = useTranslation('forms');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast(copied);
    } catch {
      toast(t('copyFailed'), 'info');
    }
  };
  return (
    <div className={styles.line}>
      <code>{text}</code>
      <IconButton label={label} tooltip="left" onClick={() => void copy()}>
        <IconCopy size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </div>
  );
}
