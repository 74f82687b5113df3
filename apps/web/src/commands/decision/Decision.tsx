import {
  agreeToCommand,
  type Command,
  commandKind,
  confirmControlPassword,
  controlConfirmationSchema,
} from '@milepost/contract';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { announce } from '../../base/announce.ts';
import { call } from '../../base/api.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { keepCommands } from '../command-store.ts';
import { InterlockChecks } from '../dialog/InterlockChecks.tsx';
import { PasswordState } from '../dialog/PasswordState.tsx';
import type { Offer } from '../offers.ts';
import styles from './Decision.module.css';
import { DeclineForm } from './DeclineForm.tsx';

const schema = z.object({ controlPassword: controlConfirmationSchema.shape.controlPassword });
const EMPTY = { controlPassword: '' };

interface Props {
  readonly command: Command;
  readonly offer: Offer | undefined;
}

/** The second person's form: current results of the checks, the control password, and buttons to confirm or decline. */
export function Decision({ command, offer }: Props) {
  const { t } = useTranslation('commands');
  const [declining, setDeclining] = useState(false);
  const { action, deviceName, id, imei, mode } = command;
  const needsStop = commandKind(action).interlock;
  const form = useForm({
    schema,
    initial: EMPTY,
    save: async ({ controlPassword }) => {
      const body = { action, imei, deviceName, controlPassword, commandId: id, ...(mode && { mode }) };
      const { grant } = await call(confirmControlPassword, { body });
      return call(agreeToCommand, { params: { id }, body: { grant } });
    },
    onSaved: agreed => {
      keepCommands(agreed);
      announce(t('decision.confirmed'));
    },
    problemFields: {
      'control-password-wrong': 'controlPassword',
      'control-password-missing': 'controlPassword',
      'controls-locked': 'controlPassword',
    },
  });
  return (
    <section
      className={styles.decision}
      aria-label={t('decision.label', { action: t(`action.${action}`), vehicle: deviceName })}
    >
      {needsStop && offer && (
        <InterlockChecks interlock={offer.interlock} possibleAt={offer.interlockAt} vehicle={deviceName} />
      )}
      {needsStop && offer && !offer.interlock.holds && <Notice tone="warning">{t('decision.moves')}</Notice>}
      <PasswordState offer={offer} />
      {declining ? (
        <DeclineForm command={command} onBack={() => setDeclining(false)} />
      ) : (
        <FormFrame form={form} label={t('decision.confirm')}>
          <PasswordField
            {...form.text('controlPassword')}
            label={t('password')}
            showLabel={t('showPassword')}
            autoComplete="off"
          />
          <div className={styles.actions}>
            <Button onClick={() => setDeclining(true)}>{t('decision.decline')}</Button>
            <Button
              variant="danger"
              busy={form.saving}
              disabled={needsStop && mode === 'immediate' && offer?.interlock.holds === false}
              icon={<IconLock size={16} stroke={1.75} aria-hidden />}
              // A click, not a submit button: Enter in a field must never send a control command.
              onClick={() => form.submit()}
            >
              {t('decision.confirm')}
            </Button>
          </div>
        </FormFrame>
      )}
    </section>
  );
}
