import type { ReportPage, ReportRow } from '@milepost/contract';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDate, formatMonth } from '../../format/date.ts';
import { formatCount } from '../../format/locale.ts';
import { Chip } from '../../ui/Chip.tsx';
import { Plate } from '../../ui/Plate.tsx';
import frame from '../../ui/table.module.css';
import { cellWords, changeWords, isFigure, type Reader, unitOf } from './cell-words.ts';
import styles from './ReportTable.module.css';
import type { ReportAddress } from './report-url.ts';

interface Props {
  readonly page: ReportPage;
  readonly rows: readonly ReportRow[];
  readonly group: ReportAddress['group'];
  readonly reader: Reader;
  /** Link to the evidence of a row. */
  readonly linkOf: (row: ReportRow) => string | null;
  /** Link to the rows of a group alone. */
  readonly linkOfGroup: (key: string) => string | null;
}

/** The rows, with a line of totals above each group. On a phone each row is a card. */
export function ReportTable({ page, rows, group, reader, linkOf, linkOfGroup }: Props) {
  const { t } = useTranslation('reports');
  const { columns, groups } = page;
  const byKey = new Map(groups.map(each => [each.key, each]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={`${frame.scroller} ${styles.scroller}`} tabIndex={0} aria-label={page.title}>
      <table className={`${frame.table} ${styles.table}`}>
        <thead>
          <tr>
            {columns.map(({ key, title, type }) => {
              const unit = unitOf(type, reader);
              return (
                <th key={key} scope="col" data-align={isFigure(type) ? 'end' : undefined}>
                  {unit ? `${title} (${unit})` : title}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, nth) => {
            const head = row.group !== null && rows[nth - 1]?.group !== row.group ? byKey.get(row.group) : undefined;
            return (
              <Fragment key={row.id}>
                {head && (
                  <tr className={styles.group}>
                    {columns.map(({ key, type, hasTotal }, index) =>
                      index === 0 ? (
                        <th key={key} scope="rowgroup">
                          <GroupName link={linkOfGroup(head.key)}>
                            {groupWords(head.label, group) || t('group.nothing')}
                          </GroupName>{' '}
                          <small>{t('group.rows', { count: head.total, n: formatCount(head.total) })}</small>
                        </th>
                      ) : (
                        <td key={key} data-align={isFigure(type) ? 'end' : undefined}>
                          {hasTotal && cellWords(head.totals[index], type, reader)}{' '}
                          {hasTotal && head.folderMean && (
                            <small>{changeWords(head.totals[index], head.folderMean[index], type)}</small>
                          )}
                        </td>
                      ),
                    )}
                  </tr>
                )}
                <Row row={row} page={page} reader={reader} link={linkOf(row)} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function GroupName({ children, link }: { readonly children: string; readonly link: string | null }) {
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
  readonly page: ReportPage;
  readonly reader: Reader;
  readonly link: string | null;
}

function Row({ row, page: { columns }, reader, link }: RowProps) {
  const { t } = useTranslation('reports');
  const name = row.cells[0];
  return (
    <tr>
      {columns.map(({ key, title, type }, index) => {
        const words = cellWords(row.cells[index], type, reader);
        const unit = unitOf(type, reader);
        const isOpenEnd = row.isUnderWay && key === 'end';
        return (
          <td
            key={key}
            data-align={isFigure(type) ? 'end' : undefined}
            data-title={unit ? `${title} (${unit})` : title}
            data-empty={!words || undefined}
          >
            {type === 'vehicle' && words ? (
              link ? (
                <Link to={link} className={styles.vehicle} aria-label={t('openEvidence', { name: String(name) })}>
                  <Plate>{words}</Plate>
                </Link>
              ) : (
                <Plate>{words}</Plate>
              )
            ) : isOpenEnd ? (
              <Chip tone="live">{t('underWay')}</Chip>
            ) : (
              words || '–'
            )}
          </td>
        );
      })}
    </tr>
  );
}

export const groupWords = (label: string, group: ReportAddress['group']): string => {
  if (label === '') return '';
  if (group === 'month') return formatMonth(label);
  return group === 'day' || group === 'week' ? formatDate(label) : label;
};
