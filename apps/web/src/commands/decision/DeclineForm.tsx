import { type Command, controlReasonSchema, declineCommand } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { announce } from '../../base/announce.ts';
import { call } from '../../base/api.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { keepCommands } from '../command-store.ts';
import styles from './Decision.module.css';

const schema = z.object({ reason: controlReasonSchema });
const EMPTY = { reason: '' };

interface Props {
  readonly command: Command;
  readonly onBack: () => void;
}

/** Declines a command with a reason. The requester sees the reason. */
export function DeclineForm({ command, onBack }: Props) {
  const { t } = useTranslation('commands');
  const form = useForm({
    schema,
    initial: EMPTY,
    save: body => call(declineCommand, { params: { id: command.id }, body }),
    onSaved: declined => {
      keepCommands(declined);
      announce(t('decision.declined', { name: command.createdBy?.name ?? t('history.someone') }));
    },
  });
  return (
    <FormFrame form={form} label={t('decision.declineNow')}>
      <TextField
        {...form.text('reason')}
        label={t('decision.why')}
        hint={t('reasonHint')}
        autoComplete="off"
        autoFocus
      />
      <div className={styles.actions}>
        <Button onClick={onBack}>{t('decision.back')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('decision.declineNow')}
        </Button>
      </div>
    </FormFrame>
  );
}
