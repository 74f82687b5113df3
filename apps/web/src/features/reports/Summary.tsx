import type { ReportPage } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/locale.ts';
import { cellWords, changeWords, type Reader, unitOf } from './cell-words.ts';
import styles from './ReportsPage.module.css';

/** The totals of the whole report and their changes. */
export function Summary({ page, reader }: { readonly page: ReportPage; readonly reader: Reader }) {
  const { t } = useTranslation('reports');
  const { columns, previous, total, totals } = page;
  return (
    <section className={styles.summary} aria-label={t('totals')}>
      <dl>
        <div>
          <dt>{t('rows')}</dt>
          <dd>
            <b>{formatCount(total)}</b> {previous && <small>{changeWords(total, previous.total, 'count')}</small>}
          </dd>
        </div>
        {columns.map(({ key, title, type, hasTotal }, index) => {
          const cell = totals[index];
          if (!hasTotal || cell === null || cell === undefined) return null;
          return (
            <div key={key}>
              <dt>{title}</dt>
              <dd>
                <b>
                  {cellWords(cell, type, reader)} <small>{unitOf(type, reader)}</small>
                </b>{' '}
                {previous && <small>{changeWords(cell, previous.totals[index], type)}</small>}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
