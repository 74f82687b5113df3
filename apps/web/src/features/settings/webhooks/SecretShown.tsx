import { useTranslation } from 'react-i18next';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from './Webhooks.module.css';

/** The secret of a webhook, shown only once. */
export function SecretShown({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const { t } = useTranslation('webhooks');
  return (
    <div className={styles.secret}>
      <Notice tone="warning">{t('secret.once')}</Notice>
      <CopyLine text={secret} label={t('secret.copy')} copied={t('secret.copied')} />
      <p>{t('secret.use')}</p>
      <DialogActions>
        <Button variant="primary" onClick={onClose} data-autofocus>
          {t('secret.done')}
        </Button>
      </DialogActions>
    </div>
  );
}
