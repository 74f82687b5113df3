import type { Geofence } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ICON_OF_SEVERITY } from '../../alerts/alert-icons.ts';
import { describeError } from '../../base/describe-error.ts';
import { NotLoaded } from '../../base/NotLoaded.tsx';
import { paths, type RuleEditor } from '../../paths.ts';
import { MuteLine } from '../../rules/Mute.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { Switch } from '../../ui/Switch.tsx';
import styles from './RuleTabs.module.css';
import { type PlaceRule, usePlaceRules } from './rules-of.ts';

interface RulesProps {
  readonly geofence: Geofence;
  readonly children: (rules: readonly PlaceRule[]) => ReactNode;
}

/** The rules, once they have loaded, and what to say if there are none. */
export function Rules({ geofence, children }: RulesProps) {
  const { t } = useTranslation('rules');
  const { rules, error, refetch } = usePlaceRules(geofence);
  if (!rules) return <NotLoaded className={styles.failed} error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {rules.length === 0 && <p className={styles.quiet}>{t('tab.none')}</p>}
      {children(rules)}
    </>
  );
}

interface CardsProps {
  readonly label: string;
  readonly rules: readonly PlaceRule[];
  /** With a switch instead of a word. */
  readonly switches?: boolean;
  readonly children: (rule: PlaceRule) => ReactNode;
}

export function Cards({ label, rules, switches = false, children }: CardsProps) {
  const { t } = useTranslation('rules');
  return (
    <ul className={styles.cards} aria-label={label}>
      {rules.map(rule => {
        const Icon = ICON_OF_SEVERITY[rule.severity];
        return (
          <li key={rule.id} data-off={!rule.isOn || undefined}>
            <header className={styles.head}>
              <Icon
                size={18}
                stroke={1.75}
                role="img"
                aria-label={t(`severityText.${rule.severity}`)}
                data-severity={rule.severity}
              />
              <Link to={paths.opened(paths.rules(), rule.id)}>{rule.name}</Link>
              {rule.isBuiltIn && <Chip>{t('builtIn.title')}</Chip>}
              {switches && rule.mayEdit ? (
                <Turn rule={rule} />
              ) : (
                <Chip tone={rule.isOn ? 'ok' : 'neutral'}>{t(rule.isOn ? 'isOn' : 'isOff')}</Chip>
              )}
            </header>
            <MuteLine mutes={rule.mutes} />
            {children(rule)}
          </li>
        );
      })}
    </ul>
  );
}

function Turn({ rule: { isOn, name, turn } }: { readonly rule: PlaceRule }) {
  const { t } = useTranslation('rules');
  const { mutate, isPending, variables, error } = useMutation({ mutationFn: turn });
  return (
    <>
      <Switch
        aria-label={t('tab.turn', { name })}
        checked={isPending ? variables : isOn}
        disabled={isPending}
        onChange={event => mutate(event.currentTarget.checked)}
      >
        {t(isOn ? 'isOn' : 'isOff')}
      </Switch>
      {error && (
        <p role="alert" className={styles.wrong}>
          {describeError(error).message}
        </p>
      )}
    </>
  );
}

interface ChangedProps {
  readonly rule: PlaceRule;
  readonly editor: RuleEditor;
  /** What the text is about. */
  readonly name: string;
  readonly text: string;
}

/** What the rule says, as a link to the fields that change it. */
export function Changed({ rule, editor, name, text }: ChangedProps) {
  if (!rule.mayEdit) return <span className={styles.value}>{text}</span>;
  return (
    <Link className={styles.value} to={paths.ruleEditor(rule.id, editor)} aria-label={`${rule.name}, ${name}: ${text}`}>
      {text}
    </Link>
  );
}
