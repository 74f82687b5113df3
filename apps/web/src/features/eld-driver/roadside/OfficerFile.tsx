import { readOutputFile } from '@milepost/contract';
import { outputFileName } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useConnectivity } from '../../../base/connectivity.ts';
import { describeError } from '../../../base/describe-error.ts';
import { download } from '../../../base/download.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { useDriverDuty } from '../store/driver-duty.ts';

/** Creates the output file with the officer's comment on the server, and shares it from the phone. */
export function OfficerFile({ onClose }: { readonly onClose: () => void }) {
  const word = useDriverDuty(state => state.word);
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const online = useConnectivity(state => state.status === 'online');
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const canShare = file !== null && navigator.canShare?.({ files: [file] }) === true;

  /** The file name that the regulation requires, from the driver's last name and license. */
  function name(): string {
    const last = word?.driver.name.trim().split(/\s+/).at(-1) ?? '';
    const zone = word?.dutyLog.timezone ?? 'UTC';
    return outputFileName(last, word?.driver.licenceNumber ?? '', epochMs(dutyClock.now()), zone);
  }

  async function make(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const answer = await call(readOutputFile, { query: { comment: comment.trim() } });
      setFile(new File([answer], name(), { type: 'text/csv' }));
    } catch (failure) {
      setError(describeError(failure).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('roadside.fileTitle')} closeLabel={t('eldDriver:change.close')}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          void make();
        }}
      >
        <Notice tone="warning">{t('roadside.previewText')}</Notice>
        {!online && <Notice>{t('roadside.fileNeedsNetwork')}</Notice>}
        <TextField
          label={t('roadside.comment')}
          hint={t('roadside.commentHint')}
          value={comment}
          maxLength={60}
          autoComplete="off"
          data-autofocus
          onChange={event => {
            setComment(event.target.value);
            setFile(null);
          }}
        />
        {error !== null && <Notice tone="critical">{error}</Notice>}
        {file === null ? (
          <Button type="submit" variant="primary" size="large" wide busy={busy} disabled={!online}>
            {t('roadside.make')}
          </Button>
        ) : (
          <>
            <Notice tone="ok">{t('roadside.fileReady', { name: file.name })}</Notice>
            {canShare && (
              <Button
                variant="primary"
                size="large"
                wide
                onClick={() => void navigator.share({ files: [file], title: file.name }).catch(() => {})}
              >
                {t('roadside.share')}
              </Button>
            )}
            <Button size="large" wide onClick={() => download(file, file.name)}>
              {t('roadside.download')}
            </Button>
          </>
        )}
        <p className={styles.quiet}>{t('roadside.handover')}</p>
      </form>
    </Dialog>
  );
}
