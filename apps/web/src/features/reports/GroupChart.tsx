import type { ReportPage } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../ui/Segments.tsx';
import { cellWords, isFigure, type Reader, unitOf } from './cell-words.ts';
import styles from './GroupChart.module.css';
import { groupWords } from './ReportTable.tsx';
import type { ReportAddress } from './report-url.ts';

interface Props {
  readonly page: ReportPage;
  readonly group: ReportAddress['group'];
  readonly reader: Reader;
}

/** The longest period has as many days; more bars than that can't be told apart. */
const MOST_BARS = 92;
/** So many names fit below their bars. */
const NAMED_BARS = 14;
const MOST_COLUMNS = 5;

/** The totals of the groups as bars. The lines of the table have the same figures, for those who can't see it. */
export function GroupChart({ page, group, reader }: Props) {
  const { t } = useTranslation('reports');
  const [wanted, setWanted] = useState('');
  const columns = page.columns.flatMap((column, index) =>
    column.hasTotal && isFigure(column.type) && page.groups.some(({ totals }) => Number(totals[index]) > 0)
      ? [{ ...column, index }]
      : [],
  );
  const chosen = columns.find(({ key }) => key === wanted) ?? columns[0];
  const { groups } = page;
  if (!chosen || groups.length < 2 || groups.length > MOST_BARS) return null;
  const most = Math.max(...groups.map(({ totals }) => Number(totals[chosen.index] ?? 0)));
  const unit = unitOf(chosen.type, reader);
  const title = unit ? `${chosen.title} (${unit})` : chosen.title;
  const isNamed = (nth: number): boolean =>
    groups.length <= NAMED_BARS || nth % Math.ceil(groups.length / NAMED_BARS) === 0;
  return (
    <section className={styles.chart} aria-label={t('chart')}>
      <header>
        <b>{title}</b>
        <Segments
          segments={columns.slice(0, MOST_COLUMNS).map(column => ({ id: column.key, label: column.title }))}
          chosen={chosen.key}
          onChoose={setWanted}
          label={t('chartOf')}
        />
      </header>
      <div className={styles.bars} role="img" aria-label={t('chartText', { title })}>
        {groups.map(({ key, label, totals }, nth) => {
          const cell = totals[chosen.index];
          const name = groupWords(label, group) || t('group.nothing');
          const words = cellWords(cell, chosen.type, reader) || '–';
          return (
            <div key={key} className={styles.bar} title={`${name}: ${words}`}>
              <span>{groups.length <= NAMED_BARS && words}</span>
              <i style={{ height: `${most > 0 ? (Number(cell ?? 0) / most) * 100 : 0}%` }} />
              <small>{isNamed(nth) && name}</small>
            </div>
          );
        })}
      </div>
    </section>
  );
}
