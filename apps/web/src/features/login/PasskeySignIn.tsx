import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../base/chunks/load-chunk.ts';
import { describeError } from '../../base/describe-error.ts';
import { hasPasskeys, PasskeyCancelled } from '../../base/passkey-support.ts';
import { beginSession } from '../../base/session/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './LoginPage.module.css';

interface Props {
  /** Called when the button is pressed. */
  readonly keepSignedIn: () => boolean;
}

/** Signs in with the device's own lock, without typing. */
export function PasskeySignIn({ keepSignedIn }: Props) {
  const { t } = useTranslation('login');
  const { mutate, isPending, error } = useMutation({
    // Rarely used, so not part of what everyone loads.
    mutationFn: async () => (await loadChunk(() => import('../../base/passkeys.ts'))).signInByPasskey(keepSignedIn()),
    onSuccess: ({ token }) => beginSession(token),
  });
  if (!hasPasskeys()) return null;
  return (
    <div className={styles.others}>
      <span className={styles.or}>{t('or')}</span>
      {error && !(error instanceof PasskeyCancelled) && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <Button
        size="large"
        wide
        busy={isPending}
        icon={<IconFingerprint size={18} stroke={1.75} aria-hidden />}
        onClick={() => mutate()}
      >
        {t('passkey')}
      </Button>
    </div>
  );
}
