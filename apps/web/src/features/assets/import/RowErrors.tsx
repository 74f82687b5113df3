import type { importVehicles, RouteAnswer } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { problemWords } from '../../../base/problem-words.ts';
import styles from './ImportDialog.module.css';

/** A file can have errors in every row: show the first ones and count the rest. */
const SHOWN = 200;

/** The errors in a file, by row and column. */
export function RowErrors({ errors }: { readonly errors: RouteAnswer<typeof importVehicles>['errors'] }) {
  const { t } = useTranslation('assets');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={styles.errors} tabIndex={0} aria-label={t('import.errors')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('import.row')}</th>
            <th scope="col">{t('import.column')}</th>
            <th scope="col">{t('import.message')}</th>
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, SHOWN).map(({ row, column, message, ...problem }) => (
            <tr key={`${row} ${column} ${message}`}>
              <td>{row}</td>
              <td>{column}</td>
              <td>{problemWords(problem, message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {errors.length > SHOWN && <p>{t('import.more', { count: errors.length - SHOWN })}</p>}
    </section>
  );
}
