import type { Terminal } from '@milepost/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './Roster.module.css';

interface Props {
  readonly terminals: readonly Terminal[];
  readonly error: string | undefined;
  readonly onChange: (terminals: readonly Terminal[]) => void;
}

const ZONES = Intl.supportedValuesOf('timeZone').map(value => ({ value, label: value.replaceAll('_', ' ') }));

/** The terminals that drivers report to; the first is the default. A log's day is a day in its terminal's time zone. */
export function TerminalFields({ terminals, error, onChange }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const change = (nth: number, part: Partial<Terminal>): void =>
    onChange(terminals.map((terminal, at) => (at === nth ? { ...terminal, ...part } : terminal)));
  const add = (): void =>
    onChange([
      ...terminals,
      {
        id: crypto.randomUUID(),
        name: '',
        timeZone: terminals[0]?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
        startOfDay: '00:00',
        address: null,
      },
    ]);
  return (
    <fieldset className={styles.terminals} data-field="terminals" tabIndex={-1}>
      <legend>{t('carrier.terminals')}</legend>
      {error && <p role="alert">{error}</p>}
      {terminals.map(({ id, name, timeZone, startOfDay, address }, nth) => (
        <div key={id} className={styles.terminal}>
          <TextField
            label={t('carrier.terminalName')}
            value={name}
            autoComplete="off"
            onChange={event => change(nth, { name: event.currentTarget.value })}
          />
          <SelectField
            label={t('carrier.timeZone')}
            value={timeZone}
            options={
              ZONES.some(({ value }) => value === timeZone) ? ZONES : [{ value: timeZone, label: timeZone }, ...ZONES]
            }
            onChange={event => change(nth, { timeZone: event.currentTarget.value })}
          />
          <TextField
            type="time"
            label={t('carrier.startOfDay')}
            value={startOfDay}
            onChange={event => change(nth, { startOfDay: event.currentTarget.value })}
          />
          <TextField
            label={t('carrier.address')}
            optional={t('forms:optional')}
            value={address ?? ''}
            autoComplete="off"
            onChange={event => change(nth, { address: event.currentTarget.value || null })}
          />
          {terminals.length > 1 && (
            <IconButton
              label={t('carrier.remove', { name })}
              tooltip="left"
              onClick={() => onChange(terminals.filter((_, at) => at !== nth))}
            >
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={add}>
        {t('carrier.add')}
      </Button>
    </fieldset>
  );
}
