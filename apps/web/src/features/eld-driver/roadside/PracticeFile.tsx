import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../../format/duration.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { useDriverDuty } from '../store/driver-duty.ts';
import { leaveRoadside, noteRehearsal, useRoadside } from './roadside.ts';

/** Characters of the practice code that are hard to mistake when spoken. */
const ALPHABET = 'ACDEFHJKLMNPRTUVWXY3479';
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(6))].map(byte => ALPHABET[byte % ALPHABET.length]).join('');

/** The same steps with a practice officer; no file is created. */
export function PracticeFile({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const owner = useDriverDuty(state => state.owner) ?? '';
  const sinceMs = useRoadside(state => state.sinceMs);
  const [code] = useState(newCode);
  const [comment, setComment] = useState('');
  const [tried, setTried] = useState(false);
  const [tookMs, setTookMs] = useState<number | null>(null);
  const isRight = comment.trim().toUpperCase() === code;
  return (
    <Dialog open onClose={onClose} title={t('roadside.fileTitle')} closeLabel={t('change.close')}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          setTried(true);
          if (!isRight) return;
          noteRehearsal(owner);
          setTookMs(Date.now() - sinceMs);
        }}
      >
        <p>
          <b>{t('roadside.pretend', { code })}</b>
        </p>
        {tookMs === null ? (
          <>
            <TextField
              label={t('roadside.comment')}
              hint={t('roadside.commentHint')}
              error={tried && !isRight ? t('roadside.pretendWrong', { code }) : undefined}
              value={comment}
              maxLength={60}
              autoComplete="off"
              data-autofocus
              onChange={event => setComment(event.target.value)}
            />
            <Button type="submit" variant="primary" size="large" wide>
              {t('roadside.make')}
            </Button>
          </>
        ) : (
          <>
            <Notice tone="ok">{t('roadside.rehearsed', { duration: formatDuration(tookMs) })}</Notice>
            <Button variant="primary" size="large" wide onClick={leaveRoadside}>
              {t('roadside.finish')}
            </Button>
          </>
        )}
      </form>
    </Dialog>
  );
}
