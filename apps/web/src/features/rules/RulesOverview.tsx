import { type BuiltInRule, RULE_ALERT_DAYS, type Rule } from '@milepost/contract';
import type { Icon } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { ICON_OF_KIND, ICON_OF_SEVERITY } from '../../alerts/alert-icons.ts';
import { formatCount } from '../../format/locale.ts';
import { useMuteWords } from '../../rules/Mute.tsx';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { isNoisy } from './noisy.ts';
import { RuleIcon } from './RuleIcon.tsx';
import styles from './RulesOverview.module.css';

/** The rest is in the list. */
const SHOWN = 12;

interface Talker extends Pick<Rule, 'alerts' | 'isOn' | 'mutes' | 'severity'> {
  readonly id: string;
  readonly name: string;
  readonly icon: Icon;
  readonly isBuiltIn: boolean;
}

interface Props {
  readonly rules: readonly Rule[] | undefined;
  readonly builtIn: readonly BuiltInRule[] | undefined;
  readonly onOpen: (id: string) => void;
}

/** While no rule is open: which of them alerted most in the last days, and what people did about it. */
export function RulesOverview({ builtIn = [], onOpen, rules = [] }: Props) {
  const { t } = useTranslation(['rules', 'alerts']);
  const talkers: Talker[] = [
    ...rules.map(rule => ({ ...rule, icon: ICON_OF_SEVERITY[rule.severity], isBuiltIn: false })),
    ...builtIn.map(rule => ({
      ...{ ...rule, id: rule.kind, name: t(`alerts:kind.${rule.kind}`) },
      ...{ icon: ICON_OF_KIND[rule.kind], isBuiltIn: true },
    })),
  ]
    .filter(({ alerts }) => alerts.count > 0)
    .toSorted((a, b) => b.alerts.count - a.alerts.count);
  if (talkers.length === 0) {
    return (
      <section className={styles.nothing} aria-label={t('noneOpen')}>
        <EmptyRoad />
        <p>{t('noneOpen')}</p>
      </section>
    );
  }
  const sum = (of: (talker: Talker) => number): number => talkers.reduce((all, each) => all + of(each), 0);
  const count = sum(({ alerts }) => alerts.count);
  const acknowledged = sum(({ alerts }) => alerts.acknowledged);
  const noisy = rules.filter(isNoisy).length;
  const most = talkers[0]?.alerts.count ?? 1;
  return (
    <section className={styles.overview} aria-labelledby="rules-overview">
      <header>
        <h2 id="rules-overview">{t('overview.title', { days: RULE_ALERT_DAYS })}</h2>
        <p>{t('noneOpen')}</p>
      </header>
      <dl className={styles.figures}>
        <Figure name={t('overview.alerts')} value={formatCount(count)} />
        <Figure
          name={t('overview.acknowledged')}
          value={`${Math.round((acknowledged / count) * 100)}%`}
          text={t('overview.of', { some: formatCount(acknowledged), all: formatCount(count) })}
        />
        <Figure
          name={t('overview.on')}
          value={formatCount(rules.filter(({ isOn }) => isOn).length)}
          text={t('overview.off', { count: rules.filter(({ isOn }) => !isOn).length })}
        />
        <Figure
          name={t('overview.noisy')}
          value={formatCount(noisy)}
          text={t(noisy === 0 ? 'overview.notNoisy' : 'overview.noisyText')}
        />
      </dl>
      <section className={styles.card} aria-labelledby="rules-talkers">
        <h3 id="rules-talkers">{t('overview.most')}</h3>
        <ol className={styles.talkers}>
          {talkers.slice(0, SHOWN).map(talker => (
            <Row key={talker.id} talker={talker} most={most} onOpen={onOpen} />
          ))}
        </ol>
      </section>
    </section>
  );
}

function Figure({ name, text, value }: { readonly name: string; readonly value: string; readonly text?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        {text !== undefined && <span>{text}</span>}
      </dd>
    </div>
  );
}

interface RowProps {
  readonly talker: Talker;
  readonly most: number;
  readonly onOpen: Props['onOpen'];
}

function Row({ most, onOpen, talker }: RowProps) {
  const { t } = useTranslation('rules');
  const { alerts, icon, id, isBuiltIn, isOn, mutes, name, severity } = talker;
  const muted = useMuteWords(mutes);
  const notes = [
    isBuiltIn ? t('builtIn.title') : null,
    isOn ? null : t('isOff'),
    muted,
    !isBuiltIn && isNoisy(talker) ? t('views.noisy') : null,
  ].filter(Boolean);
  return (
    <li>
      <button type="button" className={styles.talker} onClick={() => onOpen(id)}>
        <RuleIcon icon={icon} severity={severity} isOn={isOn} />
        <span className={styles.name}>
          <b>{name}</b>
          {notes.length > 0 && <span>{notes.join(' · ')}</span>}
        </span>
        <span
          className={styles.bar}
          style={{ '--all': alerts.count / most, '--some': alerts.acknowledged / most } as CSSProperties}
          aria-hidden
        />
        <span className={styles.count}>
          <b>{formatCount(alerts.count)}</b>
          <span>{t('overview.seen', { count: alerts.acknowledged })}</span>
        </span>
      </button>
    </li>
  );
}
