import type { Report } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import type { Days } from '../../figures/period.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Filters.module.css';
import { OptionField } from './OptionField.tsx';
import { daysOfPreset, PRESETS, type Preset, presetOf } from './presets.ts';
import type { ReportAddress } from './report-url.ts';
import { Who } from './Who.tsx';

interface Props {
  readonly report: Report;
  readonly address: ReportAddress;
  readonly today: string;
  readonly firstWeekday: number;
  /** Why the period is invalid. */
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<ReportAddress>) => void;
}

/** Vehicles, period and options, on one line. */
export function Filters({ report, address, today, firstWeekday, problem, onChange }: Props) {
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
          ...PRESETS.map(value => ({ value: value as string, label: t(`when.${value}`) })),
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
      <Checkbox
        className={styles.compare}
        checked={address.compare}
        onChange={event => onChange({ compare: event.currentTarget.checked })}
      >
        {t(address.group === 'vehicle' ? 'compareBoth' : 'compare')}
      </Checkbox>
    </div>
  );
}
