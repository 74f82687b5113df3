import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../../base/copy-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from './Security.module.css';

/** Shows the recovery codes once, to copy, save or write down. */
export function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const { t } = useTranslation(['profile', 'forms']);
  const text = `${t('codes.fileHead', { host: location.host })}\n\n${codes.join('\n')}\n`;
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: 'milepost-recovery-codes.txt' });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className={styles.shown}>
      <Notice tone="warning">{t('codes.keep')}</Notice>
      <ul className={styles.codes}>
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <Button
          icon={<IconCopy size={16} stroke={1.75} aria-hidden />}
          onClick={() => void copyText(text, t('codes.copied'), t('forms:copyFailed'))}
        >
          {t('codes.copy')}
        </Button>
        <Button icon={<IconDownload size={16} stroke={1.75} aria-hidden />} onClick={save}>
          {t('codes.save')}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t('codes.done')}
        </Button>
      </DialogActions>
    </div>
  );
}
