import type { BuiltInKind } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { formatCount } from '../../format/locale.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { testBuiltIn } from '../../rules/use-rules.ts';
import { Notice } from '../../ui/Notice.tsx';
import styles from './RuleForm.module.css';

const DAYS = 30;
const NAMED = 3;

interface Props {
  readonly kind: Exclude<BuiltInKind, 'secondPerson'>;
  readonly rule: Parameters<typeof testBuiltIn>[1];
}

/** How many of the alerts of the last 30 days there would have been with these vehicles, drivers, times and cool-down. */
export function BuiltInTest({ kind, rule }: Props) {
  const { t } = useTranslation('rules');
  const { data: fleet } = useQuery(vehicleListQuery);
  const { data, error } = useQuery({
    queryKey: ['rules', 'built-in', kind, 'test', rule],
    queryFn: () => testBuiltIn(kind, rule, DAYS),
  });
  const [all, kept] = (data?.days ?? []).reduce(([a, k], day) => [a + day.all, k + day.kept], [0, 0]);
  const isUntold = (rule.conditions?.fromKmh ?? rule.conditions?.ignition ?? null) !== null;
  const most = (data?.vehicles ?? []).slice(0, NAMED).map(({ deviceId, kept: count }) => {
    const name = fleet?.find(({ id }) => id === deviceId)?.deviceName ?? deviceId;
    return `${name} (${formatCount(count)})`;
  });
  return (
    <section className={styles.card} aria-label={t('test.title')} aria-busy={data === undefined && !error}>
      <h3>{t('test.title')}</h3>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {data && (
        <>
          <p>
            {t('builtIn.tested', { count: all, days: DAYS })}
            {all > 0 && ` ${kept === all ? t('builtIn.keptAll') : t('builtIn.kept', { count: kept })}`}
          </p>
          {isUntold && <p className={styles.quiet}>{t('builtIn.untold')}</p>}
          {most.length > 0 && <p className={styles.quiet}>{t('builtIn.most', { names: most.join(', ') })}</p>}
        </>
      )}
    </section>
  );
}
