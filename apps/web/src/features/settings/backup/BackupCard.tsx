import { type Backup, type BackupRun, deleteBackup, readBackup, runBackup } from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatBytes } from '../../../format/bytes.ts';
import { formatDuration } from '../../../format/duration.ts';
import { formatMoment } from '../../../format/time.ts';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { useNow } from '../../../live/view.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from './Backup.module.css';
import { BackupForm } from './BackupForm.tsx';

const KEY = ['backup'];
/** The change feed of accounts has nothing of the installation. */
const EVERY_MS = 5000;

/** How the installation is backed up, for the owners of the account that runs it. */
export function BackupCard() {
  const { t } = useTranslation(['settings', 'forms']);
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: () => call(readBackup),
    refetchInterval: EVERY_MS,
  });
  const [open, setOpen] = useState<'form' | 'stop' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const shown = (backup: Backup): void => void client.setQueryData(KEY, backup);
  const run = useMutation({
    mutationFn: (what: BackupRun) => call(runBackup, { body: { what } }),
    onSuccess: backup => {
      shown(backup);
      toast(t('system.backup.asked'));
    },
    onError: cause => toast(describeError(cause).message, 'error'),
  });
  const stop = useMutation({
    mutationFn: () => call(deleteBackup),
    onSuccess: backup => {
      shown(backup);
      setOpen(null);
      toast(t('system.backup.stopped'));
    },
    onError: cause => toast(describeError(cause).message, 'error'),
  });
  const close = (): void => setOpen(null);
  const isBusy = run.isPending || (data?.running ?? null) !== null;
  return (
    <Card title={t('system.backup.title')} text={t('system.backup.text')}>
      {!data && <ReadState error={error} onRetry={() => void refetch()} />}
      {data && <BackupState backup={data} />}
      {data && (
        <div className={styles.actions}>
          <Button variant={data.settings ? 'default' : 'primary'} onClick={() => setOpen('form')}>
            {t(data.settings ? 'system.backup.change' : 'system.backup.setUp')}
          </Button>
          {data.settings && data.trouble !== 'paused' && (
            <>
              <Button disabled={isBusy} onClick={() => run.mutate('copy')}>
                {t('system.backup.now')}
              </Button>
              <Button disabled={isBusy || !data.last} onClick={() => run.mutate('verify')}>
                {t('system.backup.tryIt')}
              </Button>
            </>
          )}
          {data.settings && <Button onClick={() => setOpen('stop')}>{t('system.backup.stop')}</Button>}
        </div>
      )}
      <Dialog open={open === 'form'} onClose={close} title={t('system.backup.title')} closeLabel={t('forms:close')}>
        {data && (
          <BackupForm
            settings={data.settings}
            onClose={close}
            onSaved={({ backup, key }) => {
              shown(backup);
              close();
              if (key) setSecret(key);
              else toast(t('system.backup.saved'));
            }}
          />
        )}
      </Dialog>
      <Dialog
        open={open === 'stop'}
        onClose={close}
        title={t('system.backup.stopLabel')}
        closeLabel={t('forms:close')}
        role="alertdialog"
      >
        <p>{t('system.backup.stopText')}</p>
        <DialogActions>
          <Button onClick={close}>{t('forms:cancel')}</Button>
          <Button variant="danger" busy={stop.isPending} onClick={() => stop.mutate()}>
            {t('system.backup.stopLabel')}
          </Button>
        </DialogActions>
      </Dialog>
      <Dialog
        open={secret !== null}
        onClose={() => setSecret(null)}
        title={t('system.backup.key.title')}
        closeLabel={t('forms:close')}
        role="alertdialog"
      >
        <div className={styles.key}>
          <Notice tone="warning">{t('system.backup.key.once')}</Notice>
          <CopyLine text={secret ?? ''} label={t('system.backup.key.copy')} copied={t('system.backup.key.copied')} />
          <DialogActions>
            <Button variant="primary" onClick={() => setSecret(null)}>
              {t('system.backup.key.done')}
            </Button>
          </DialogActions>
        </div>
      </Dialog>
    </Card>
  );
}

function BackupState({ backup }: { readonly backup: Backup }) {
  const { t } = useTranslation('settings');
  const now = useNow();
  const { database, failures, from, last, running, settings, storedBytes, through, trouble, verified } = backup;
  if (!settings) return <Notice tone="warning">{t('system.backup.none')}</Notice>;
  const moment = (iso: string): string => formatMoment(Date.parse(iso), now);
  const failure = { 'copy-failed': 'copy', 'verify-failed': 'verify', 'journal-failed': 'journal' } as const;
  const why = trouble !== null && trouble in failure ? failures[failure[trouble as keyof typeof failure]] : null;
  const place = settings.kind === 'folder' ? settings.folder : `s3://${settings.bucket}/${settings.prefix}`;
  return (
    <div className={styles.state}>
      {trouble ? (
        <Notice tone={trouble === 'paused' ? 'warning' : 'critical'}>
          {t(`system.backup.trouble.${trouble}`, { why: why?.message ?? '' })}
        </Notice>
      ) : (
        <div>
          {running ? (
            <Chip tone="info">
              {t(`system.backup.running.${running.what}`, {
                took: formatDuration(Math.max(0, now - Date.parse(running.since))),
              })}
            </Chip>
          ) : (
            last && <Chip tone="ok">{t('system.backup.sound')}</Chip>
          )}
        </div>
      )}
      {database === 'own' && <Notice>{t('system.backup.ownDatabase')}</Notice>}
      <FactList
        facts={[
          [t('system.backup.fact.place'), <code key="place">{place}</code>],
          [
            t('system.backup.fact.last'),
            last
              ? t('system.backup.fact.lastValue', {
                  time: moment(last.at),
                  bytes: formatBytes(last.bytes),
                  took: formatDuration(last.tookMs),
                  written: formatBytes(last.writtenBytes),
                })
              : t('system.backup.fact.never'),
          ],
          [t('system.backup.fact.through'), through && moment(through)],
          [t('system.backup.fact.from'), from && moment(from)],
          [t('system.backup.fact.stored'), storedBytes !== null && formatBytes(storedBytes)],
          [
            t('system.backup.fact.verified'),
            verified
              ? t('system.backup.fact.verifiedValue', {
                  time: moment(verified.at),
                  rows: verified.rows,
                  took: formatDuration(verified.tookMs),
                })
              : t('system.backup.fact.never'),
          ],
        ]}
      />
      <small>{t('system.backup.howToRestore')}</small>
    </div>
  );
}
