import { COMMAND_MODES, type CommandMode, commandKind } from '@milepost/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listOf } from '../../format/locale.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { messagesFor } from '../../forms/field-messages.ts';
import { useForm } from '../../forms/use-form.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { type Offer, type OfferedCommand, secondPeopleFor } from '../offers.ts';
import type { CommandVehicle } from '../vehicle.ts';
import {
  type CommandBody,
  type CommandValues,
  commandBody,
  commandFormSchema,
  initialValues,
  needsPassword,
} from './command-form.ts';
import styles from './Details.module.css';
import { InterlockChecks } from './InterlockChecks.tsx';
import { Modes } from './Modes.tsx';
import { Parameters } from './Parameters.tsx';
import { PasswordState } from './PasswordState.tsx';
import { Preview } from './Preview.tsx';

interface Props {
  readonly id: string;
  readonly command: OfferedCommand;
  /** The vehicle that the checks and the preview are for. */
  readonly vehicle: CommandVehicle;
  /** The number of selected vehicles. */
  readonly all: number;
  readonly offer: Offer | undefined;
  /** What the user has typed so far. Kept while they look at another command. */
  readonly typed: CommandValues;
  readonly onTyped: (values: CommandValues) => void;
  readonly mode: CommandMode | undefined;
  readonly onMode: (mode: CommandMode) => void;
  readonly onSend: (body: CommandBody) => Promise<void>;
}

/** The form for a command: when to send it, the checks, the parameters, the reason and the control password. */
export function Details(props: Props) {
  const { id, command, vehicle, all, offer, typed, onTyped, mode, onMode, onSend } = props;
  const { t } = useTranslation('commands');
  const kind = commandKind(command.action);
  const isControl = needsPassword(command);
  const [schema] = useState(() => commandFormSchema(command));
  const [initial] = useState(() => initialValues(command, typed));
  const form = useForm<CommandValues, typeof schema, void>({
    schema,
    initial,
    toBody: commandBody,
    save: onSend,
    onSaved: () => form.set('controlPassword', ''),
    problemFields: {
      'control-password-wrong': 'controlPassword',
      'control-password-missing': 'controlPassword',
      'controls-locked': 'controlPassword',
    },
  });
  const { values } = form;
  useEffect(() => onTyped(values), [onTyped, values]);
  const isComplete = Object.keys(messagesFor(schema, commandBody(values))).every(name => !name.startsWith('params'));
  const params = isComplete
    ? schema.safeParse({ ...Object(commandBody(values)), reason: '-', controlPassword: '-' }).data?.params
    : undefined;
  const second = secondPeopleFor(command.action, mode ?? null, offer);
  const modes = COMMAND_MODES.filter(one => kind.modes.includes(one) || command.modes.includes(one));

  return (
    <FormFrame form={form} id={id} label={t(`action.${command.action}`)} className={styles.details}>
      <header className={styles.head}>
        <h3>{t(`action.${command.action}`)}</h3>
        <p>{t('maker', { words: listOf(command.makers) })}</p>
        {command.vehicles < all && <p>{t('leftOut', { count: all - command.vehicles })}</p>}
      </header>
      {modes.length > 0 && mode && (
        <Modes
          modes={modes}
          possible={command.modes}
          interlock={offer?.interlock}
          several={all > 1}
          secondFor={way => secondPeopleFor(command.action, way, offer)}
          chosen={mode}
          onChoose={onMode}
        />
      )}
      {kind.interlock && offer && (
        <InterlockChecks interlock={offer.interlock} possibleAt={offer.interlockAt} vehicle={vehicle.deviceName} />
      )}
      {second !== null && <SecondPerson people={second} />}
      <Parameters command={command} form={form} />
      {isControl && <PasswordState offer={offer} />}
      {isControl && (
        <div className={styles.fields}>
          <TextField {...form.text('reason')} label={t('reason')} hint={t('reasonHint')} autoComplete="off" />
          <PasswordField
            {...form.text('controlPassword')}
            label={t('password')}
            showLabel={t('showPassword')}
            autoComplete="off"
          />
        </div>
      )}
      <Preview vehicle={vehicle} command={command} params={params} mode={mode} />
    </FormFrame>
  );
}

/** Says before sending that a second person must confirm, and how many people can. */
function SecondPerson({ people }: { readonly people: number }) {
  const { t } = useTranslation('commands');
  return people === 0 ? (
    <Notice tone="warning">{t('second.nobody')}</Notice>
  ) : (
    <Notice>{t('second.before', { others: t('second.others', { count: people }) })}</Notice>
  );
}
