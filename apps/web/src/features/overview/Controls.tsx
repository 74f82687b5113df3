import { OVERVIEW_MAX_DAYS } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { type Days, PERIODS, problemOf } from '../../figures/period.ts';
import type { GroupNode } from '../../organisation/groups.ts';
import { groupOptions } from '../../organisation/use-group-list.ts';
import { Segments } from '../../ui/Segments.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Controls.module.css';
import type { OverviewUrl } from './state/use-overview-url.ts';

interface Props {
  readonly url: OverviewUrl;
  /** The shown period; a custom period starts from it. */
  readonly days: Days;
  readonly folders: readonly GroupNode[];
  readonly departments: readonly GroupNode[];
}

/** Chooses the days and the vehicles. */
export function Controls({ url, days, folders, departments }: Props) {
  const { t } = useTranslation('overview');
  const problem = problemOf(url.custom);
  return (
    <>
      <Segments
        label={t('period.label')}
        segments={PERIODS.map(id => ({ id, label: t(`period.${id}`) }))}
        chosen={url.period}
        onChoose={period => url.change(period === 'custom' ? { period, ...days } : { period, from: '', to: '' })}
      />
      {url.period === 'custom' && (
        <div className={styles.custom}>
          <TextField
            type="date"
            label={t('period.from')}
            value={url.custom.from}
            onChange={event => url.change({ from: event.currentTarget.value })}
          />
          <TextField
            type="date"
            label={t('period.to')}
            value={url.custom.to}
            error={
              problem === 'wrong'
                ? t('period.wrong')
                : problem === 'tooLong'
                  ? t('period.tooLong', { days: OVERVIEW_MAX_DAYS })
                  : undefined
            }
            onChange={event => url.change({ to: event.currentTarget.value })}
          />
        </div>
      )}
      {folders.length > 0 && (
        <SelectField
          label={t('filter.folder')}
          className={styles.filter}
          value={url.folder}
          options={[{ value: '', label: t('filter.allFolders') }, ...groupOptions(folders)]}
          onChange={event => url.change({ folder: event.currentTarget.value })}
        />
      )}
      {departments.length > 0 && (
        <SelectField
          label={t('filter.department')}
          className={styles.filter}
          value={url.department}
          options={[{ value: '', label: t('filter.allDepartments') }, ...groupOptions(departments)]}
          onChange={event => url.change({ department: event.currentTarget.value })}
        />
      )}
    </>
  );
}
