import type { changeEffectSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { clockFigure } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import { wholeMinutes } from '../../../logbook/whole-minutes.ts';
import styles from './Panels.module.css';

const TOTALS = ['D', 'ON', 'OFF', 'SB'] as const;

/** What a change would do to the day: changed totals, and violations. */
export function Effect({ effect: { before, after } }: { readonly effect: z.infer<typeof changeEffectSchema> }) {
  const { t } = useTranslation(['eld', 'logbook']);
  const [now, then] = [wholeMinutes(before.totals), wholeMinutes(after.totals)];
  const rows = TOTALS.filter(status => Math.round(before.totals[status]) !== Math.round(after.totals[status]));
  return (
    <table className={styles.effect}>
      <thead>
        <tr>
          <th scope="col">{t('propose.changes')}</th>
          <th scope="col">{t('propose.now')}</th>
          <th scope="col">{t('propose.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(status => (
          <tr key={status}>
            <th scope="row">{t(`logbook:status.${status}`)}</th>
            <td>{clockFigure(now[status])}</td>
            <td>
              <b>{clockFigure(then[status])}</b>
            </td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t('propose.violations')}</th>
          <td>{formatCount(before.violations.length)}</td>
          <td data-worse={after.violations.length > before.violations.length || undefined}>
            <b>{formatCount(after.violations.length)}</b>
          </td>
        </tr>
      </tbody>
    </table>
  );
}
