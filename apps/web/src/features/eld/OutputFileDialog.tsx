import { readOutputFile, readVerifiableLog } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { download } from '../../base/download.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './OutputFileDialog.module.css';
import { rosterQuery } from './queries.ts';
import { useRefresh } from './use-refresh.ts';

const KINDS = ['output-file', 'verifiable-log'] as const;
type Kind = (typeof KINDS)[number];

interface Props {
  /** If missing, the driver is chosen here. */
  readonly driverId?: string;
  readonly onClose: () => void;
}

/** The two kinds of files that can be created from a driver's log. */
export function OutputFileDialog({ driverId: given, onClose }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const refresh = useRefresh();
  const { data: roster = [] } = useQuery({ ...rosterQuery, enabled: given === undefined });
  const drivers = roster.filter(({ settings }) => settings.keepsLog);
  const [chosen, setChosen] = useState('');
  const [kind, setKind] = useState<Kind>('output-file');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [comment, setComment] = useState('');
  const driverId = given ?? (chosen || drivers[0]?.driverId);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (): Promise<void> => {
      if (driverId === undefined) return;
      const file =
        kind === 'output-file'
          ? await call(readOutputFile, { query: { driverId, comment, ...(from && { from }), ...(to && { to }) } })
          : await call(readVerifiableLog, { query: { driverId } });
      const fallback = kind === 'output-file' ? 'output-file.csv' : 'log.ndjson';
      download(file, file instanceof File ? file.name : fallback);
    },
    onSuccess: () => {
      void refresh();
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('output.title')} closeLabel={t('forms:close')}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          mutate();
        }}
      >
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        {given === undefined && (
          <SelectField
            label={t('columns.driver')}
            options={drivers.map(driver => ({ value: driver.driverId, label: driver.name }))}
            value={driverId ?? ''}
            onChange={event => setChosen(event.currentTarget.value)}
          />
        )}
        <Segments
          label={t('output.kind')}
          segments={KINDS.map(id => ({ id, label: t(`exports.kind.${id}`) }))}
          chosen={kind}
          onChoose={setKind}
        />
        <p className={styles.text}>{t(`output.text.${kind}`)}</p>
        {kind === 'output-file' && (
          <>
            <div className={styles.pair}>
              <TextField
                type="date"
                label={t('output.from')}
                optional={t('forms:optional')}
                value={from}
                onChange={event => setFrom(event.currentTarget.value)}
              />
              <TextField
                type="date"
                label={t('output.to')}
                optional={t('forms:optional')}
                value={to}
                onChange={event => setTo(event.currentTarget.value)}
              />
            </div>
            <TextField
              label={t('output.comment')}
              optional={t('forms:optional')}
              hint={t('output.commentHint')}
              maxLength={60}
              autoComplete="off"
              value={comment}
              onChange={event => setComment(event.currentTarget.value)}
            />
          </>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button variant="primary" type="submit" busy={isPending}>
            {t('output.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
