import { IconChartHistogram, IconTable } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import card from '../card.module.css';
import styles from './ChartCard.module.css';

interface Props {
  readonly title: string;
  /** Explains the colors and lines. */
  readonly legend?: ReactNode;
  /** What the chart shows, in one sentence. */
  readonly conclusion: string;
  /** Why there is nothing to draw, as text. */
  readonly empty: string | null;
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly children: ReactNode;
}

/** A chart that can also be shown as a table with the same figures, for users who prefer or need text. */
export function ChartCard({ title, legend, conclusion, empty, table, children }: Props) {
  const { t } = useTranslation('overview');
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={`${card.card} ${styles.card}`} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {!asTable && empty === null && <span className={styles.legend}>{legend}</span>}
        {empty === null && (
          <IconButton
            label={t(asTable ? 'chart.chart' : 'chart.table')}
            tooltip="left"
            aria-pressed={asTable}
            className={styles.switch}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? (
              <IconChartHistogram size={16} stroke={1.75} aria-hidden />
            ) : (
              <IconTable size={16} stroke={1.75} aria-hidden />
            )}
          </IconButton>
        )}
      </header>
      {empty !== null ? (
        <p className={styles.empty}>{empty}</p>
      ) : asTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it must scroll by keyboard, too.
        <section className={styles.table} tabIndex={0} aria-labelledby={id}>
          <table>
            <thead>
              <tr>
                {table.head.map(text => (
                  <th key={text} scope="col">
                    {text}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(([first, ...cells]) => (
                <tr key={first}>
                  <th scope="row">{first}</th>
                  {cells.map((cell, nth) => (
                    <td key={table.head[nth + 1]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <div className={styles.chart} role="img" aria-label={conclusion}>
          {children}
        </div>
      )}
    </section>
  );
}
