import type { MoveInReport, MoveInSource } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { formatMoment } from '../../../format/time.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { useNow } from '../../../live/view.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import styles from './MoveIn.module.css';

interface Props {
  readonly report: MoveInReport;
  readonly source: MoveInSource;
  readonly dryRun: boolean;
  readonly chosen: Readonly<Record<string, string>>;
  /** Undefined once the files are imported. */
  readonly onChoose: ((vehicles: Record<string, string>) => void) | undefined;
}

const VEHICLES_SHOWN = 50;

/** What was found in files: rows, times, vehicles, and each row that can't be imported with its reason. */
export function MoveInReportView({ report, source, dryRun, chosen, onChoose }: Props) {
  const { t } = useTranslation('moving-in');
  const now = useNow();
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const { accepted, duplicates, from, problemCount, problems, rows, tables, to } = report;
  const facts = [
    [t('rows'), formatCount(rows)],
    [t(dryRun ? 'new' : 'imported'), formatCount(accepted)],
    ...(source === 'tracks' ? [[t('duplicates'), formatCount(duplicates)]] : []),
    [t('wrong'), formatCount(problemCount)],
    ...(from && to
      ? [[t('span'), `${formatMoment(Date.parse(from), now)} – ${formatMoment(Date.parse(to), now)}`]]
      : []),
    ...Object.entries(tables ?? {}).map(([table, count]) => [t(`table.${table}` as never), formatCount(count)]),
  ];
  const unknown = report.vehicles.filter(({ vehicleId }) => vehicleId === null);
  const known = report.vehicles.filter(({ vehicleId }) => vehicleId !== null);
  return (
    <section className={styles.report} aria-label={t('report')}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {source === 'traccar' && <Notice>{t('traccar.left')}</Notice>}
      {unknown.length > 0 && onChoose && (
        <fieldset>
          <legend>{t('unknown', { count: unknown.length })}</legend>
          {unknown.slice(0, VEHICLES_SHOWN).map(({ name, rows: count }) => (
            <SelectField
              key={name}
              label={t('named', { name: name || t('nameless'), count, n: formatCount(count) })}
              value={chosen[name] ?? ''}
              options={[
                { value: '', label: t('leaveOut') },
                ...vehicles.map(vehicle => ({ value: vehicle.id, label: vehicle.deviceName })),
              ]}
              onChange={event => {
                const { [name]: _, ...others } = chosen;
                const id = event.currentTarget.value;
                onChoose(id === '' ? others : { ...others, [name]: id });
              }}
            />
          ))}
        </fieldset>
      )}
      {known.length > 0 && (
        <ul className={styles.known} aria-label={t('vehicles')}>
          {known.slice(0, VEHICLES_SHOWN).map(({ name, rows: count, vehicleName }) => (
            <li key={name}>
              <b>{vehicleName}</b> <span>{t('rowsOf', { count, n: formatCount(count) })}</span>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
        <section className={styles.sample} tabIndex={0} aria-label={t('problems')}>
          <table>
            <thead>
              <tr>
                <th>{t('file')}</th>
                <th>{t('line')}</th>
                <th>{t('why')}</th>
              </tr>
            </thead>
            <tbody>
              {problems.map(({ code, file, line, value }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row may have several problems, and they don't move.
                <tr key={i}>
                  <td>{file}</td>
                  <td>{formatCount(line)}</td>
                  <td>
                    {t(`problem.${code}`)}
                    {value !== '' && <code>{value}</code>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {problemCount > problems.length && (
        <small>
          {t('moreProblems', { count: problemCount - problems.length, n: formatCount(problemCount - problems.length) })}
        </small>
      )}
    </section>
  );
}
