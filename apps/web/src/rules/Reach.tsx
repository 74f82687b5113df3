import {
  type AlertKind,
  minutesText,
  type NewRule,
  type PersonReach,
  type RuleReach,
  readRuleReach,
  type Reach as Way,
  type WebhookReach,
} from '@milepost/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import styles from './Reach.module.css';
import { useRuleTexts } from './rule-words.ts';

interface Props {
  readonly rule: Partial<Pick<NewRule, 'escalation' | 'mailTo' | 'pushTo' | 'severity' | 'vehicles' | 'webhookIds'>>;
  /** Of a built-in one. */
  readonly kind?: AlertKind;
  /** Of one that exists and isn't built in: whether it is muted counts. */
  readonly ruleId?: string | null;
  /** Its name, beside others. */
  readonly name?: string;
}

/** Whom the rule would really reach right now, and why not the others: asked of what sends alerts. */
export function Reach({ rule, kind = 'rule', ruleId = null, name }: Props) {
  const { t } = useTranslation('rules');
  const texts = useRuleTexts();
  const { escalation = null, mailTo = null, pushTo = null, severity = 'warning' } = rule;
  const { vehicles = null, webhookIds = null } = rule;
  const isTyped = escalation !== null && escalation.minutes >= 1 && escalation.to.length > 0;
  const asked = {
    ...{ kind, mailTo, pushTo, ruleId, severity, vehicles, webhookIds },
    escalation: isTyped ? escalation : null,
  };
  const { data, isError } = useQuery({
    queryKey: ['rule-reach', asked],
    queryFn: () => call(readRuleReach, { body: asked }),
    placeholderData: keepPreviousData,
  });
  if (isError) return <p className={styles.quiet}>{t('reach.failed')}</p>;
  if (!data) return <p aria-busy="true" className={styles.quiet} />;
  const { escalation: later, isMuted, people, vehicles: all, webhooks } = data;
  const first = countsOf(people);
  const told = webhooks.filter(({ gets }) => gets);
  const failing = told.filter(webhook => webhook.failing !== null).length;
  const second = later && countsOf(later.people);
  const isNobody = first.mail === 0 && first.push === 0 && told.length === failing;
  return (
    <section
      aria-label={name === undefined ? t('reach.title') : `${name}: ${t('reach.title')}`}
      className={styles.reach}
    >
      <p>
        <b>{t('reach.title')}</b>{' '}
        {isMuted ? (
          <span className={styles.nobody}>{t('reach.muted')}</span>
        ) : isNobody && failing === 0 ? (
          <span className={styles.nobody}>{t('reach.nobody')}</span>
        ) : (
          t('reach.summary', {
            mail: t('reach.mail', { count: first.mail }),
            push: t('reach.push', { count: first.push }),
            webhooks: t('reach.webhooks', { count: told.length }),
          })
        )}
        {failing > 0 && <span className={styles.nobody}> {t('reach.failingCount', { count: failing })}</span>}
      </p>
      {second && later && !isMuted && (
        <p className={second.mail + second.push === 0 ? styles.nobody : undefined}>
          {t('reach.later', {
            duration: minutesText(later.minutes, texts),
            mail: t('reach.mail', { count: second.mail }),
            push: t('reach.push', { count: second.push }),
          })}
        </p>
      )}
      <details>
        <summary>{t('reach.show')}</summary>
        <Group title={t('reach.first')}>
          {people.map(person => (
            <Person key={person.id} person={person} all={all} />
          ))}
        </Group>
        {webhooks.length > 0 && <Webhooks webhooks={webhooks} />}
        {later && (
          <Group title={t('reach.laterTitle', { duration: minutesText(later.minutes, texts) })}>
            {later.people.map(person => (
              <Person key={person.id} person={person} all={all} />
            ))}
          </Group>
        )}
      </details>
    </section>
  );
}

const countsOf = (people: readonly PersonReach[]) => ({
  mail: people.filter(({ mail }) => mail.gets).length,
  // A push is left out in quiet hours.
  push: people.filter(({ push }) => push?.gets && push.held !== 'quiet').length,
});

function Group({ children, title }: { readonly children: ReactNode; readonly title: string }) {
  return (
    <>
      <h4>{title}</h4>
      <ul aria-label={title}>{children}</ul>
    </>
  );
}

interface PersonProps {
  readonly person: PersonReach;
  readonly all: RuleReach['vehicles'];
}

function Person({ all, person: { mail, name, push, seesVehicles } }: PersonProps) {
  const { t } = useTranslation('rules');
  const said = (way: 'mail' | 'push', { gets, held, why }: Way): string => {
    if (held !== null) return t(way === 'push' && held === 'quiet' ? 'reach.held.quietPush' : `reach.held.${held}`);
    return gets || why === null ? t('reach.yes') : t(`reach.why.${why}`);
  };
  return (
    <li>
      <b>{name}</b>
      {seesVehicles > 0 && seesVehicles < all && <span>{t('reach.sees', { seen: seesVehicles, all })}</span>}
      <span>
        {t('reach.mailTitle')}: {said('mail', mail)}
      </span>
      {push && (
        <span>
          {t('reach.pushTitle')}: {said('push', push)}
        </span>
      )}
    </li>
  );
}

/** By name for those who may read them; to others, how many there are. */
function Webhooks({ webhooks }: { readonly webhooks: readonly WebhookReach[] }) {
  const { t } = useTranslation('rules');
  return (
    <Group title={t('after.webhook')}>
      {webhooks.map(({ failing, gets, id, name, why }, nth) => (
        <li key={id}>
          <b>{name ?? t('reach.webhook', { nth: nth + 1 })}</b>
          <span className={gets && failing !== null ? styles.nobody : undefined}>
            {why !== null
              ? t(`reach.webhookWhy.${why}`)
              : failing !== null
                ? t('reach.failing', { why: t(`reach.failure.${failing}`) })
                : t('reach.yes')}
          </span>
        </li>
      ))}
    </Group>
  );
}
