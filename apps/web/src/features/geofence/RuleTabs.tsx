import { datesIn, type Geofence, isDated, listWebhooks, may, minutesText, type SentencePart } from '@milepost/contract';
import {
  IconBell,
  IconBellRinging,
  IconDeviceMobile,
  IconMail,
  type IconProps,
  IconWaveSine,
  IconWebhook,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ICON_OF_SEVERITY } from '../../alerts/alert-icons.ts';
import { useAccountSettings } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { NotLoaded } from '../../base/NotLoaded.tsx';
import { useSession } from '../../base/session/session.ts';
import { formatDate, isoDateOf } from '../../format/date.ts';
import { listOf } from '../../format/locale.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useMinute } from '../../live/view.ts';
import { paths, type RuleEditor } from '../../paths.ts';
import { useReadUsers } from '../../people/my-users.ts';
import { MuteLine } from '../../rules/Mute.tsx';
import { Reach } from '../../rules/Reach.tsx';
import { useRuleTexts, useUserName } from '../../rules/rule-words.ts';
import { WeekCalendar } from '../../rules/WeekCalendar.tsx';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { typedLength } from './geofence-form.ts';
import styles from './RuleTabs.module.css';
import { type PlaceRule, usePlaceRules } from './rules-of.ts';

/** The next days off that are named. */
const HOLIDAYS_SHOWN = 3;

interface Props {
  readonly geofence: Geofence;
}

/** What alerts about the geofence, as sentences whose words lead to what changes them. */
export function RulesTab({ geofence, onEdge }: Props & { readonly onEdge: () => void }) {
  const { t } = useTranslation(['rules', 'geofence']);
  const system = useMeasureSystem();
  const unit = t(system.distance === 'mi' ? 'geofence:feet' : 'geofence:meters');
  const { bufferM, minFixes } = geofence.edge;
  const mayEdit = useSession(({ me }) => me !== null && may(me, 'rules.write'));
  return (
    <Rules geofence={geofence}>
      {rules => (
        <>
          {rules.length > 0 && (
            <Cards label={t('tab.title')} rules={rules} switches>
              {rule => (
                <>
                  <Words rule={rule} />
                  {rule.isOn && <p className={styles.quiet}>{t('alerts', { count: rule.alerts.count })}</p>}
                </>
              )}
            </Cards>
          )}
          {mayEdit && (
            <Link to={paths.newRuleFor(geofence.id)} className={buttonLook()}>
              {t('tab.add')}
            </Link>
          )}
          <p className={styles.edge}>
            <IconWaveSine size={18} stroke={1.75} aria-hidden />
            <span>{t('tab.edge', { buffer: typedLength(bufferM, system), unit, count: minFixes })}</span>
            <Button variant="text" onClick={onEdge}>
              {t('tab.edgeShow')}
            </Button>
          </p>
        </>
      )}
    </Rules>
  );
}

/** At what times of the week the rules about the geofence count. */
export function ScheduleTab({ geofence }: Props) {
  const { t } = useTranslation('rules');
  const { holidays, timeZone } = useAccountSettings();
  const maySettings = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const nowMs = useMinute();
  const today = isoDateOf(nowMs);
  const off = datesIn(holidays)
    .filter(date => date >= today)
    .toSorted()
    .slice(0, HOLIDAYS_SHOWN)
    .map(formatDate);
  return (
    <Rules geofence={geofence}>
      {rules => (
        <>
          {!geofence.isOn && <Notice tone="warning">{t('schedule.placeOff')}</Notice>}
          {rules.length > 0 && (
            <Cards label={t('schedule.title')} rules={rules}>
              {rule => <Schedule rule={rule} nowMs={nowMs} />}
            </Cards>
          )}
          <p className={styles.quiet}>
            {t('schedule.zone', { zone: timeZone.replaceAll('_', ' ') })}{' '}
            {off.length > 0 ? t('schedule.holidays', { days: listOf(off) }) : t('schedule.noHolidays')}{' '}
            {maySettings && <Link to={paths.settings('organisation')}>{t('schedule.changeHolidays')}</Link>}
          </p>
        </>
      )}
    </Rules>
  );
}

function Schedule({ rule, nowMs }: { readonly rule: PlaceRule; readonly nowMs: number }) {
  const { t } = useTranslation('rules');
  const { trigger } = rule;
  const word = wordOf(rule, trigger?.kind === 'absent' ? 'moment' : 'when');
  const also = rule.conditions && wordOf(rule, 'conditions');
  if (trigger && isDated(trigger.kind)) return <p>{t('schedule.dated')}</p>;
  if (!word) return null;
  return (
    <>
      <Changed rule={rule} editor={word.word} name={t('edit.when')} text={word.text} />
      <WeekCalendar
        when={rule.when}
        moment={trigger?.kind === 'absent' ? trigger : null}
        label={t('schedule.week', { name: rule.name, when: word.text })}
        nowMs={nowMs}
      />
      {also && (
        <p className={styles.also}>
          {t('schedule.onlyIf')}{' '}
          <Changed rule={rule} editor="conditions" name={t('edit.conditions')} text={also.text} />
        </p>
      )}
    </>
  );
}

/** Who gets the alerts of the rules about the geofence, and how. */
export function RecipientsTab({ geofence }: Props) {
  const { t } = useTranslation('rules');
  const mayReach = useSession(({ me }) => me !== null && may(me, 'rules.write'));
  return (
    <Rules geofence={geofence}>
      {rules =>
        rules.length > 0 && (
          <>
            <Cards label={t('recipients.title')} rules={rules}>
              {rule => (
                <>
                  <Recipients rule={rule} />
                  {mayReach && (
                    <Reach
                      rule={rule}
                      name={rule.name}
                      kind={rule.isBuiltIn ? 'restricted' : 'rule'}
                      ruleId={rule.isBuiltIn ? null : rule.id}
                    />
                  )}
                </>
              )}
            </Cards>
            <p className={styles.quiet}>{t('recipients.hint')}</p>
          </>
        )
      }
    </Rules>
  );
}

function Recipients({ rule }: { readonly rule: PlaceRule }) {
  const { t } = useTranslation('rules');
  useReadUsers();
  const userName = useUserName();
  const texts = useRuleTexts();
  const mayWebhooks = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  const { data: webhooks } = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => call(listWebhooks),
    enabled: mayWebhooks && rule.webhookIds !== null,
  });
  const { escalation, mailTo, pushTo, severity, webhookIds } = rule;
  const named = (ids: readonly string[]): string =>
    ids.length === 0 ? texts.word.nobody : listOf(ids.map(id => userName(id) ?? texts.word.someone));
  const hooks = webhookIds?.map(id => webhooks?.find(one => one.id === id)?.name);
  return (
    <ul className={styles.channels}>
      <Channel icon={IconBell} name={t('after.app')} rule={rule} text={t('after.appText')} />
      <Channel
        icon={IconMail}
        name={t('after.mail')}
        rule={rule}
        editor="people"
        text={mailTo ? named(mailTo) : rule.isBuiltIn ? texts.builtIn.asChosen : texts.word.asChosen}
      />
      <Channel
        icon={IconDeviceMobile}
        name={t('after.push')}
        rule={rule}
        editor="push"
        text={pushTo ? named(pushTo) : t('after.pushText')}
      />
      <Channel
        icon={IconWebhook}
        name={t('after.webhook')}
        rule={rule}
        editor={mayWebhooks ? 'webhooks' : undefined}
        text={
          !hooks
            ? t('after.webhookText')
            : hooks.length > 0 && hooks.every(name => name !== undefined)
              ? listOf(hooks)
              : t('after.webhooks', { count: hooks.length })
        }
      />
      <Channel
        icon={IconBellRinging}
        name={
          escalation
            ? t('recipients.after', { duration: minutesText(escalation.minutes, texts) })
            : t('recipients.unacknowledged')
        }
        rule={rule}
        editor="escalation"
        text={escalation ? named(escalation.to) : severity === 'critical' ? texts.word.owners : texts.word.nobodyElse}
      />
    </ul>
  );
}

interface ChannelProps {
  readonly icon: ComponentType<IconProps>;
  readonly name: string;
  readonly rule: PlaceRule;
  readonly text: string;
  /** Left out if nothing can be chosen. */
  readonly editor?: RuleEditor | undefined;
}

function Channel({ icon: Icon, name, rule, text, editor }: ChannelProps) {
  return (
    <li>
      <Icon size={18} stroke={1.75} aria-hidden />
      <b>{name}</b>
      {editor ? <Changed {...{ rule, editor, name, text }} /> : <span className={styles.value}>{text}</span>}
    </li>
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
function Changed({ rule, editor, name, text }: ChangedProps) {
  if (!rule.mayEdit) return <span className={styles.value}>{text}</span>;
  return (
    <Link className={styles.value} to={paths.ruleEditor(rule.id, editor)} aria-label={`${rule.name}, ${name}: ${text}`}>
      {text}
    </Link>
  );
}

/** The rule's sentence; each word leads to what changes it. */
function Words({ rule }: { readonly rule: PlaceRule }) {
  const { t } = useTranslation('rules');
  return (
    <p className={styles.sentence}>
      {rule.sentence.map(part =>
        'word' in part && rule.mayEdit ? (
          <Link
            key={part.word}
            to={paths.ruleEditor(rule.id, part.word)}
            aria-label={`${t(`edit.${part.word}`)}: ${part.text}`}
          >
            {part.text}
          </Link>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}

interface CardsProps {
  readonly label: string;
  readonly rules: readonly PlaceRule[];
  /** With a switch instead of a word. */
  readonly switches?: boolean;
  readonly children: (rule: PlaceRule) => ReactNode;
}

function Cards({ label, rules, switches = false, children }: CardsProps) {
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

interface RulesProps extends Props {
  readonly children: (rules: readonly PlaceRule[]) => ReactNode;
}

/** The rules, once they have loaded, and what to say if there are none. */
function Rules({ geofence, children }: RulesProps) {
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

type Word = Extract<SentencePart, { readonly word: string }>;
const wordOf = ({ sentence }: PlaceRule, word: Word['word']): Word | undefined =>
  sentence.find((part): part is Word => 'word' in part && part.word === word);
