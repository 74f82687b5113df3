import { IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../base/copy-text.ts';
import { IconButton } from '../ui/IconButton.tsx';
import styles from './CopyLine.module.css';

interface Props {
  readonly text: string;
  /** Label of the button. */
  readonly label: string;
  /** Message after copying. */
  readonly copied: string;
}

/**
 * A link, key or token with a button that copies it. If the browser doesn't allow copying, the user can select the
 * text.
 */
export function CopyLine({ text, label, copied }: Props) {
  const { t } = useTranslation('forms');
  return (
    <div className={styles.line}>
      <code>{text}</code>
      <IconButton label={label} tooltip="left" onClick={() => void copyText(text, copied, t('copyFailed'))}>
        <IconCopy size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </div>
  );
}
