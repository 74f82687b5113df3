import { ALERT_NOTE_MAX, alertNoteSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { FormFrame } from '../forms/FormFrame.tsx';
import { useForm } from '../forms/use-form.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';
import { TextArea } from '../ui/TextField.tsx';
import { acknowledgeWith } from './acknowledge.ts';
import styles from './NoteDialog.module.css';
import { useAlerts } from './use-alerts.ts';

interface Props {
  readonly ids: readonly string[];
  readonly answer: (done: boolean) => void;
}

const schema = z.object({ note: alertNoteSchema });

/** Asks what was done about alerts that can't be acknowledged without a note, and shows what their rules say to do. */
export function Component({ ids, answer }: Props) {
  const { t } = useTranslation(['alertNote', 'forms']);
  const { alerts } = useAlerts();
  const form = useForm({
    schema,
    initial: { note: '' },
    save: ({ note }) => acknowledgeWith(ids, note),
    onSaved: () => answer(true),
  });
  const asking = (alerts ?? []).filter(({ id, rule }) => ids.includes(id) && rule?.needsNote);
  const actions = new Set(asking.flatMap(({ rule }) => rule?.action ?? []));
  return (
    <Dialog open onClose={() => answer(false)} title={t('title')} closeLabel={t('forms:close')}>
      <FormFrame form={form}>
        <p className={styles.lead}>{t('lead', { count: ids.length })}</p>
        {actions.size > 0 && (
          <div className={styles.actions}>
            <b>{t('todo')}</b>
            {[...actions].map(action => (
              <p key={action}>{action}</p>
            ))}
          </div>
        )}
        <TextArea
          {...form.text('note')}
          label={t('note')}
          placeholder={t('hint')}
          maxLength={ALERT_NOTE_MAX}
          rows={3}
          data-autofocus
        />
        <DialogActions>
          <Button onClick={() => answer(false)}>{t('forms:cancel')}</Button>
          <Button variant="primary" type="submit" busy={form.saving}>
            {t('action')}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
