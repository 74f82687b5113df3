import type { ReportCell, ReportPage, ReportRow } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../ui/Segments.tsx';
import { cellWords, isFigure, type Reader, unitOf } from './cell-words.ts';
import styles from './GroupChart.module.css';
import { groupWords } from './ReportTable.tsx';
import type { ReportAddress } from './report-url.ts';

interface Props {
  readonly page: ReportPage;
  /** Those that are loaded. */
  readonly rows: readonly ReportRow[];
  readonly group: ReportAddress['group'];
  /** The column to begin with. */
  readonly first: string | null;
  readonly reader: Reader;
}

interface Bar {
  readonly key: string;
  readonly name: string;
  readonly cells: readonly ReportCell[];
}

/** The longest period has as many days; more bars than that can't be told apart. */
const MOST_BARS = 92;
/** So many names fit below their bars. */
const NAMED_BARS = 14;
const MOST_COLUMNS = 5;

/** The first few, and the chosen one. */
const shownColumns = <C extends { readonly key: string }>(columns: readonly C[], chosen: C): readonly C[] => {
  const some = columns.slice(0, MOST_COLUMNS);
  return some.includes(chosen) ? some : [...some.slice(0, -1), chosen];
};

/** The groups, or of a report with a row for each vehicle or driver its rows. */
function barsOf({ columns, groups, total }: ReportPage, rows: readonly ReportRow[], group: Props['group']): Bar[] {
  if (group !== '')
    return groups.map(({ key, label, totals }) => ({ key, name: groupWords(label, group), cells: totals }));
  const [first] = columns;
  if (rows.length < total || (first?.type !== 'vehicle' && first?.key !== 'driver')) return [];
  const bars = rows.map(({ cells, id }) => ({ key: id, name: String(cells[0] ?? ''), cells }));
  return new Set(bars.map(({ name }) => name)).size === bars.length ? bars : [];
}

/** The totals of the groups as bars. The lines of the table have the same figures, for those who can't see it. */
export function GroupChart({ page, rows, group, first, reader }: Props) {
  const { t } = useTranslation('reports');
  const [wanted, setWanted] = useState('');
  const all = barsOf(page, rows, group);
  const columns = page.columns.flatMap((column, index) =>
    column.hasTotal && isFigure(column.type) && all.some(({ cells }) => Number(cells[index]) > 0)
      ? [{ ...column, index }]
      : [],
  );
  const chosen = columns.find(({ key }) => key === (wanted || first)) ?? columns[0];
  if (!chosen) return null;
  // Where nothing is known there is no bar, not even one of height zero.
  const known = all.filter(({ cells }) => typeof cells[chosen.index] === 'number');
  if (known.length < 2) return null;
  const figureOf = ({ cells }: Bar): number => Number(cells[chosen.index]);
  const bars =
    known.length <= MOST_BARS ? known : known.toSorted((a, b) => figureOf(b) - figureOf(a)).slice(0, MOST_BARS);
  const most = Math.max(...bars.map(figureOf));
  const unit = unitOf(chosen.type, reader);
  const title = unit ? `${chosen.title} (${unit})` : chosen.title;
  const nameEvery = Math.ceil(bars.length / NAMED_BARS);
  return (
    <section className={styles.chart} aria-label={t('chart')}>
      <header>
        <b>{title}</b>
        {bars.length < known.length && <small>{t('highest', { shown: bars.length, total: known.length })}</small>}
        {columns.length > 1 && (
          <Segments
            segments={shownColumns(columns, chosen).map(column => ({ id: column.key, label: column.title }))}
            chosen={chosen.key}
            onChoose={setWanted}
            label={t('chartOf')}
          />
        )}
      </header>
      <div
        className={styles.bars}
        style={{ '--every': nameEvery } as React.CSSProperties}
        role="img"
        aria-label={t('chartText', { title })}
      >
        {bars.map((bar, nth) => {
          const name = bar.name || t('group.nothing');
          const words = cellWords(bar.cells[chosen.index], chosen.type, reader) || '–';
          return (
            <div key={bar.key} className={styles.bar} title={`${name}: ${words}`}>
              <span>{bars.length <= NAMED_BARS && words}</span>
              <i style={{ height: `${most > 0 ? (figureOf(bar) / most) * 100 : 0}%` }} />
              <small>{nth % nameEvery === 0 && <b>{name}</b>}</small>
            </div>
          );
        })}
      </div>
    </section>
  );
}
