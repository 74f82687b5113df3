import { casesOf, type Geofence, isAboutGeofences, may, type Rule, sentenceText } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ICON_OF_SEVERITY } from '../../alerts/alert-icons.ts';
import { describeError } from '../../base/describe-error.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { useSession } from '../../base/session/session.ts';
import { paths } from '../../paths.ts';
import { useRuleSentence } from '../../rules/rule-words.ts';
import { useRules } from '../../rules/use-rules.ts';
import { buttonLook } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import styles from './VisitTabs.module.css';

/** As its own, or in its conditions. */
export const namesGeofence = ({ conditions, geofenceIds }: Rule, id: string): boolean =>
  geofenceIds?.includes(id) || casesOf(conditions).some(({ places }) => places?.geofenceIds.includes(id));

/** The rules for a geofence: those that name it, and those for any geofence. */
export function useRulesOf(geofence: Geofence | null) {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'rules.read'));
  const { data, error, refetch } = useRules({ enabled: mayRead && geofence !== null });
  const rules =
    geofence &&
    data?.filter(
      rule => (rule.geofenceIds === null && isAboutGeofences(rule.trigger.kind)) || namesGeofence(rule, geofence.id),
    );
  return { rules, error, refetch, mayRead };
}

export function RulesTab({ geofence }: { readonly geofence: Geofence }) {
  const { t } = useTranslation('rules');
  const mayEdit = useSession(({ me }) => me !== null && may(me, 'rules.write'));
  const sentence = useRuleSentence();
  const { rules, error, refetch } = useRulesOf(geofence);
  if (!rules) {
    return error ? (
      <div role="alert" className={styles.failed}>
        <p>{describeError(error).message}</p>
        <RetryButton error={error} onRetry={() => void refetch()} />
      </div>
    ) : (
      <div aria-busy="true" />
    );
  }
  return (
    <>
      {rules.length === 0 && <p className={styles.quiet}>{t('tab.none')}</p>}
      {rules.length > 0 && (
        <ul className={styles.rules} aria-label={t('tab.title')}>
          {rules.map(rule => {
            const Icon = ICON_OF_SEVERITY[rule.severity];
            return (
              <li key={rule.id}>
                <header>
                  <Icon size={18} stroke={1.75} role="img" aria-label={t(`severityText.${rule.severity}`)} />
                  <Link to={paths.opened(paths.rules(), rule.id)}>{rule.name}</Link>
                  <Chip tone={rule.isOn ? 'ok' : 'neutral'}>{t(rule.isOn ? 'isOn' : 'isOff')}</Chip>
                </header>
                <p>{sentenceText(sentence(rule))}</p>
                {rule.isOn && <p className={styles.quiet}>{t('alerts', { count: rule.alerts.count })}</p>}
              </li>
            );
          })}
        </ul>
      )}
      {mayEdit && (
        <Link to={paths.newRuleFor(geofence.id)} className={buttonLook()}>
          {t('tab.add')}
        </Link>
      )}
    </>
  );
}
