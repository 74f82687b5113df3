import { type NewRule, type RuleReach, readRuleReach } from '@milepost/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import styles from './RuleForm.module.css';

interface Props {
  readonly rule: Pick<NewRule, 'mailTo' | 'pushTo' | 'severity' | 'vehicles'>;
}

type Way = RuleReach['people'][number]['mail'];

/** Whom the rule would really reach by email and push right now, and why not the others: asked of what sends alerts. */
export function Reach({ rule: { mailTo = null, pushTo = null, severity = 'warning', vehicles = null } }: Props) {
  const { t } = useTranslation('rules');
  const asked = { mailTo, pushTo, severity, vehicles };
  const { data, isError } = useQuery({
    queryKey: ['rule-reach', asked],
    queryFn: () => call(readRuleReach, { body: asked }),
    placeholderData: keepPreviousData,
  });
  if (isError) return <p className={styles.quiet}>{t('reach.failed')}</p>;
  if (!data) return <p aria-busy="true" className={styles.quiet} />;
  const { people, vehicles: all } = data;
  const [mail, push] = (['mail', 'push'] as const).map(way =>
    t(`reach.${way}`, { count: people.filter(person => person[way].gets).length }),
  );
  const said = ({ gets, held, why }: Way): string => {
    if (held !== null) return t(`reach.held.${held}`);
    return gets || why === null ? t('reach.yes') : t(`reach.why.${why}`);
  };
  return (
    <section aria-label={t('reach.title')} className={styles.reach}>
      <p>
        <b>{t('reach.title')}</b> {t('reach.summary', { mail, push })}
      </p>
      <details>
        <summary>{t('reach.show')}</summary>
        <ul>
          {people.map(({ id, name, seesVehicles, ...ways }) => (
            <li key={id}>
              <b>{name}</b>
              {seesVehicles > 0 && seesVehicles < all && <span>{t('reach.sees', { seen: seesVehicles, all })}</span>}
              <span>
                {t('reach.mailTitle')}: {said(ways.mail)}
              </span>
              <span>
                {t('reach.pushTitle')}: {said(ways.push)}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
