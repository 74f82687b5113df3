import type { ReportColumn, ReportPage, ReportRow } from '@milepost/contract';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDate, formatMonth } from '../../format/date.ts';
import { formatCount } from '../../format/locale.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Plate } from '../../ui/Plate.tsx';
import frame from '../../ui/table.module.css';
import { cellWords, changeWords, hasTenths, isFigure, laterWords, type Reader, unitOf } from './cell-words.ts';
import styles from './ReportTable.module.css';
import type { ReportAddress } from './report-url.ts';

type ShownColumn = ReportColumn & { readonly index: number; readonly isInTenths: boolean };

/** So many columns need narrower words to fit on a laptop. */
const WIDE = 12;

interface Props {
  readonly page: ReportPage;
  readonly rows: readonly ReportRow[];
  readonly group: ReportAddress['group'];
  /** The lines of all groups, without their rows. */
  readonly onlyTotals: boolean;
  readonly reader: Reader;
  /** Link to the evidence of a row. */
  readonly linkOf: (row: ReportRow) => string | null;
  /** Link to the rows of a group alone. */
  readonly linkOfGroup: (key: string) => string | null;
}

/** What the lines of the groups say already: the vehicle, driver, geofence or day of all their rows. */
function isSaid(
  { columns, groups }: ReportPage,
  rows: readonly ReportRow[],
  group: ReportAddress['group'],
  index: number,
): boolean {
  if (group === '' || columns[index]?.key !== group) return false;
  const labels = new Map(groups.map(({ key, label }) => [key, label]));
  return rows.every(({ cells, group: of }) => cells[index] !== null && cells[index] === labels.get(of ?? ''));
}

/** The rows, with a line of totals above each group. On a phone each row is a card. */
export function ReportTable({ page, rows, group, onlyTotals, reader, linkOf, linkOfGroup }: Props) {
  const { groups } = page;
  const byKey = new Map(groups.map(each => [each.key, each]));
  const shown = onlyTotals ? groups.map(({ totals }) => totals) : rows.map(({ cells }) => cells);
  const columns = page.columns.flatMap((column, index) =>
    isSaid(page, rows, group, index)
      ? []
      : [
          {
            ...column,
            index,
            isInTenths: hasTenths(
              shown.map(cells => cells[index]),
              column.type,
            ),
          },
        ],
  );
  const firstTotal = columns.findIndex(({ hasTotal }) => hasTotal);
  // The name of a group has the room of all columns before the first total.
  const named = Math.max(1, firstTotal === -1 ? columns.length : firstTotal);
  const line = { columns, named, group, reader };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={`${frame.scroller} ${styles.scroller}`} tabIndex={0} aria-label={page.title}>
      <table className={`${frame.table} ${styles.table}`} data-wide={columns.length >= WIDE || undefined}>
        <thead>
          <tr>
            {columns.map(({ key, title, type }) => (
              <th key={key} scope="col" data-align={isFigure(type) ? 'end' : undefined}>
                {titleOf(title, type, reader)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {onlyTotals
            ? groups.map(head => <GroupLine key={head.key} head={head} {...line} link={linkOfGroup(head.key)} />)
            : rows.map((row, nth) => {
                const isFirst = row.group !== null && rows[nth - 1]?.group !== row.group;
                const head = isFirst ? byKey.get(row.group ?? '') : undefined;
                return (
                  <Fragment key={row.id}>
                    {head && <GroupLine head={head} {...line} link={linkOfGroup(head.key)} />}
                    <Row row={row} columns={columns} reader={reader} link={linkOf(row)} />
                  </Fragment>
                );
              })}
        </tbody>
      </table>
    </section>
  );
}

interface LineProps {
  readonly head: ReportPage['groups'][number];
  readonly columns: readonly ShownColumn[];
  /** How many columns the name takes. */
  readonly named: number;
  readonly group: ReportAddress['group'];
  readonly reader: Reader;
  readonly link: string | null;
}

/** A group's name, how many rows it has, and its totals. */
function GroupLine({ head, columns, named, group, reader, link }: LineProps) {
  const { t } = useTranslation('reports');
  const { folderMean, label, total, totals } = head;
  const words = groupWords(label, group) || t('group.nothing');
  return (
    <tr className={styles.group}>
      <th scope="rowgroup" colSpan={named}>
        <GroupName link={link}>{group === 'vehicle' && label !== '' ? <Plate>{words}</Plate> : words}</GroupName>{' '}
        <small>{t('group.rows', { count: total, n: formatCount(total) })}</small>
      </th>
      {columns.slice(named).map(({ key, title, type, hasTotal, index, isInTenths }) => (
        <td
          key={key}
          data-align={isFigure(type) ? 'end' : undefined}
          data-title={hasTotal ? titleOf(title, type, reader) : undefined}
        >
          {hasTotal && cellWords(totals[index], type, reader, isInTenths)}{' '}
          {hasTotal && folderMean && <small>{changeWords(totals[index], folderMean[index], type)}</small>}
        </td>
      ))}
    </tr>
  );
}

function GroupName({ children, link }: { readonly children: ReactNode; readonly link: string | null }) {
  const { t } = useTranslation('reports');
  return link === null ? (
    children
  ) : (
    <Link to={link} className={styles.only} title={t('group.only')}>
      {children}
    </Link>
  );
}

interface RowProps {
  readonly row: ReportRow;
  readonly columns: readonly ShownColumn[];
  readonly reader: Reader;
  readonly link: string | null;
}

/** The evidence is linked from the vehicle, or where the group says which one it is, from the time. */
function Row({ row, columns, reader, link }: RowProps) {
  const { t } = useTranslation('reports');
  const firstMoment = columns.find(({ type }) => type === 'moment');
  const linked = columns.find(({ type }) => type === 'vehicle') ?? firstMoment ?? columns[0];
  return (
    <tr>
      {columns.map(({ index, isInTenths, key, title, type }) => {
        const cell = row.cells[index];
        const words =
          type === 'moment' && firstMoment && key !== firstMoment.key
            ? laterWords(row.cells[firstMoment.index], cell, reader)
            : cellWords(cell, type, reader, isInTenths);
        const isOpenEnd = row.isUnderWay && key === 'end';
        const shown = type === 'vehicle' && words ? <Plate>{words}</Plate> : words || '–';
        return (
          <td
            key={key}
            data-align={isFigure(type) ? 'end' : undefined}
            data-type={type}
            data-title={titleOf(title, type, reader)}
            data-empty={!words || undefined}
            title={type === 'place' || type === 'text' ? words || undefined : undefined}
          >
            {isOpenEnd ? (
              <Chip tone="live">{t('underWay')}</Chip>
            ) : link && words && key === linked?.key ? (
              <Link to={link} className={styles.vehicle} aria-label={t('openEvidence', { name: words })}>
                {shown}
              </Link>
            ) : (
              shown
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** A column's title with the reader's unit: `Distance (mi)`. */
function titleOf(title: string, type: ShownColumn['type'], reader: Reader): string {
  const unit = unitOf(type, reader);
  return unit ? `${title} (${unit})` : title;
}

export const groupWords = (label: string, group: ReportAddress['group']): string => {
  if (label === '') return '';
  if (group === 'month') return formatMonth(label);
  return group === 'day' || group === 'week' ? formatDate(label) : label;
};
