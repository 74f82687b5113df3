import { may } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Schedule.module.css';
import { saveReport } from './saved.ts';

interface Props {
  readonly title: string;
  /** The address to save. */
  readonly query: string;
  readonly onClose: () => void;
}

/** Saves a report with all its filters under a name. */
export function SaveDialog({ title, query, onClose }: Props) {
  const { t } = useTranslation('reports');
  const mayShare = useSession(({ me }) => me !== null && may(me, 'views.share'));
  const [name, setName] = useState(title);
  const [shared, setShared] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => saveReport(name, query, shared),
    onSuccess: ({ name: kept }) => {
      toast(t('saved.made', { name: kept }));
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('saved.title')} subtitle={t('saved.text')} closeLabel={t('close')}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      >
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <TextField
          label={t('schedule.name')}
          value={name}
          maxLength={40}
          required
          data-autofocus
          onChange={event => setName(event.currentTarget.value)}
        />
        {mayShare && (
          <Checkbox checked={shared} onChange={event => setShared(event.currentTarget.checked)}>
            {t('saved.share')}
          </Checkbox>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('runs.cancel')}</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            {t('saved.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
