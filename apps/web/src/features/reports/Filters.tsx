import type { Report } from '@milepost/contract';
import { IconAdjustmentsHorizontal, IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../base/use-media.ts';
import type { Days } from '../../figures/period.ts';
import { formatDate } from '../../format/date.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Filters.module.css';
import { OptionField } from './OptionField.tsx';
import { daysOfPreset, isFor, PRESETS, type Preset, presetOf } from './presets.ts';
import type { ReportAddress } from './report-url.ts';
import { useWho, Who } from './Who.tsx';

interface Props {
  readonly report: Report;
  readonly address: ReportAddress;
  readonly today: string;
  readonly firstWeekday: number;
  /** Why the period is invalid. */
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<ReportAddress>) => void;
}

/** Vehicles, period and options: on one line, or on a phone behind a button that says what is chosen. */
export function Filters(props: Props) {
  const { t } = useTranslation('reports');
  const { address, today, firstWeekday, problem } = props;
  const isPhone = useMedia('(max-width: 37.49em)');
  const { words: who } = useWho(address);
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  if (!isPhone) return <Fields {...props} />;
  const preset = presetOf(address, today, firstWeekday);
  const days = preset
    ? t(`when.${preset}`)
    : t('when.range', { from: formatDate(address.from), to: formatDate(address.to) });
  const chosen = [who, days, ...(address.group === '' ? [] : [t(`group.${address.group}`)])];
  const isShown = isOpen || problem !== undefined;
  return (
    <>
      <button
        type="button"
        className={styles.chosen}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />
        <span>{chosen.join(' · ')}</span>
        <IconChevronDown size={16} stroke={1.75} aria-hidden />
      </button>
      <div id={id} hidden={!isShown}>
        <Fields {...props} />
      </div>
    </>
  );
}

function Fields({ report, address, today, firstWeekday, problem, onChange }: Props) {
  const { t } = useTranslation('reports');
  const system = useMeasureSystem();
  const preset = presetOf(address, today, firstWeekday);
  const choose = (chosen: string): void => {
    if (chosen !== 'custom') onChange(daysOfPreset(chosen as Preset, today, firstWeekday) satisfies Days);
  };
  return (
    <div className={styles.filters}>
      <Who chosen={address} onChange={onChange} />
      <SelectField
        label={t('when.title')}
        value={preset ?? 'custom'}
        options={[
          ...PRESETS.filter(value => isFor(report, value)).map(value => ({
            value: value as string,
            label: t(`when.${value}`),
          })),
          { value: 'custom', label: t('when.custom'), disabled: preset !== null },
        ]}
        onChange={event => choose(event.currentTarget.value)}
      />
      <TextField
        type="date"
        label={t('when.from')}
        value={address.from}
        max={today}
        onChange={event => event.currentTarget.value && onChange({ from: event.currentTarget.value })}
      />
      <TextField
        type="date"
        label={t('when.to')}
        value={address.to}
        error={problem}
        onChange={event => event.currentTarget.value && onChange({ to: event.currentTarget.value })}
      />
      {report.groupings.length > 0 && (
        <SelectField
          label={t('group.title')}
          value={address.group}
          options={[
            { value: '', label: t('group.none') },
            ...report.groupings.map(value => ({ value: value as string, label: t(`group.${value}`) })),
          ]}
          onChange={event => onChange({ group: event.currentTarget.value as ReportAddress['group'] })}
        />
      )}
      {report.options.map(option => (
        <OptionField
          key={option.key}
          option={option}
          value={address.options[option.key]}
          system={system}
          onChange={value => onChange({ options: { ...address.options, [option.key]: value } })}
        />
      ))}
      <div className={styles.checks}>
        {address.group !== '' && (
          <Checkbox
            className={styles.compare}
            checked={address.onlyTotals}
            onChange={event => onChange({ onlyTotals: event.currentTarget.checked })}
          >
            {t('onlyTotals')}
          </Checkbox>
        )}
        <Checkbox
          className={styles.compare}
          checked={address.compare}
          onChange={event => onChange({ compare: event.currentTarget.checked })}
        >
          {t(address.group === 'vehicle' ? 'compareBoth' : 'compare')}
        </Checkbox>
      </div>
    </div>
  );
}
