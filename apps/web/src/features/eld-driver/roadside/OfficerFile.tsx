import { handOverFile, type RouteAnswer } from '@milepost/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useConnectivity } from '../../../base/connectivity.ts';
import { describeError } from '../../../base/describe-error.ts';
import { download } from '../../../base/download.ts';
import { formatTime } from '../../../format/time.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from '../Driver.module.css';
import { MailFile } from './MailFile.tsx';

/** Creates the output file with the officer's comment on the server, and hands it over: by code, email, or the phone. */
export function OfficerFile({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const online = useConnectivity(state => state.status === 'online');
  const [comment, setComment] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [made, setMade] = useState<RouteAnswer<typeof handOverFile> | null>(null);
  const file = useMemo(() => made && new File([made.text], made.fileName, { type: 'text/csv' }), [made]);
  const canShare = file !== null && navigator.canShare?.({ files: [file] }) === true;

  async function make(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      setMade(await call(handOverFile, { body: { comment: comment.trim() } }));
    } catch (failure) {
      setError(describeError(failure).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('roadside.fileTitle')} closeLabel={t('change.close')}>
      <div className={styles.form}>
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
              setMade(null);
            }}
          />
          {error !== null && <Notice tone="critical">{error}</Notice>}
          {file === null || made === null ? (
            <Button type="submit" variant="primary" size="large" wide busy={busy} disabled={!online}>
              {t('roadside.make')}
            </Button>
          ) : (
            <>
              <Notice tone="ok">{t('roadside.fileReady', { name: file.name })}</Notice>
              <QrCode text={`${location.origin}${paths.handedFile(made.token)}`} label={t('roadside.code')} />
              <p>{t('roadside.codeText', { time: formatTime(Date.parse(made.expiresAt)) })}</p>
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
        </form>
        {made && <MailFile key={made.id} id={made.id} />}
        <p className={styles.quiet}>{t('roadside.handover')}</p>
      </div>
    </Dialog>
  );
}
