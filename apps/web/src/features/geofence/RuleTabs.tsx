import { datesIn, type Geofence, isDated, may, type SentencePart } from '@milepost/contract';
import { IconWaveSine } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAccountSettings } from '../../base/account-settings.ts';
import { useSession } from '../../base/session/session.ts';
import { formatDate, isoDateOf } from '../../format/date.ts';
import { listOf } from '../../format/locale.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useMinute } from '../../live/view.ts';
import { paths } from '../../paths.ts';
import { WeekCalendar } from '../../rules/WeekCalendar.tsx';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { typedLength } from './geofence-form.ts';
import { Cards, Changed, Rules } from './PlaceRules.tsx';
import styles from './RuleTabs.module.css';
import type { PlaceRule } from './rules-of.ts';

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
  const today = isoDateOf(nowMs, timeZone);
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

type Word = Extract<SentencePart, { readonly word: string }>;
const wordOf = ({ sentence }: PlaceRule, word: Word['word']): Word | undefined =>
  sentence.find((part): part is Word => 'word' in part && part.word === word);
