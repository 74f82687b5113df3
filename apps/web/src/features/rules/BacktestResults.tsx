import { type BacktestAlert, minutesText, type RuleTexts, type RuleTriggerKind, secondsText } from '@milepost/contract';
import { IconArrowRight, IconBulb } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../../base/account-settings.ts';
import { shifted } from '../../figures/period.ts';
import { isoDateOf } from '../../format/date.ts';
import { dateFormat, formatCount, listOf, numberFormat } from '../../format/locale.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useRuleTexts } from '../../rules/rule-words.ts';
import { readActedOn, type Tested } from '../../rules/use-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { Plate } from '../../ui/Plate.tsx';
import styles from './Backtest.module.css';
import { BacktestSample } from './BacktestSample.tsx';
import form from './RuleForm.module.css';
import { suggestionOf } from './suggestion.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const VEHICLES_SHOWN = 8;
/** At most this many vehicles are named as the cause of most alerts. */
const NOISY_MAX = 3;
/** These triggers have no minimum duration, so there is no version without one to compare with. */
const WITHOUT_PLAIN: ReadonlySet<RuleTriggerKind> = new Set([
  'absent',
  'drive',
  'tow',
  'ignitionOn',
  'ignitionOff',
  'fuel',
]);

const CROSSES: ReadonlySet<RuleTriggerKind> = new Set(['enter', 'exit', 'cross']);

interface ResultsProps {
  /** Null for a rule that isn't saved. */
  readonly ruleId: string | null;
  readonly tested: Tested;
  readonly mayTry: boolean;
  readonly onTry: (duration: number) => void;
}

/** Counts before and after, by day and by vehicle, what explains them, and each alert with its place. */
export function BacktestResults({ ruleId, tested, mayTry, onTry }: ResultsProps) {
  const { t } = useTranslation('rules');
  const { word } = useRuleTexts();
  const { timeZone } = useAccountSettings();
  const { data: vehicles } = useQuery(vehicleListQuery);
  const [asTable, setAsTable] = useState(false);
  const alerts = tested.alerts.filter(({ setting }) => setting === 0).toSorted((a, b) => a.at.localeCompare(b.at));
  const nameOf = (id: string): string => vehicles?.find(vehicle => vehicle.id === id)?.deviceName ?? word.gone;
  const before = new Map<string, number>();
  const after = new Map<string, number>();
  const byVehicle = new Map<string, { before: number; after: number }>();
  for (const [id, { plain }] of tested.vehicles) {
    for (const { count, day } of plain) before.set(day, (before.get(day) ?? 0) + count);
    byVehicle.set(id, { before: plain.reduce((sum, { count }) => sum + count, 0), after: 0 });
  }
  for (const { at, deviceId } of alerts) {
    const day = isoDateOf(Date.parse(at), timeZone);
    after.set(day, (after.get(day) ?? 0) + 1);
    const known = byVehicle.get(deviceId);
    if (known) known.after++;
  }
  const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
  const plain = sum(before);
  const muted = [...tested.vehicles.values()].reduce((total, each) => total + each.muted, 0);
  // Fixes alone also miss what happened between them. Then there is nothing to compare, only to explain.
  const isLess = plain < alerts.length;
  const hasPlain = !WITHOUT_PLAIN.has(tested.rule.trigger.kind) && !isLess;
  const missed = isLess && CROSSES.has(tested.rule.trigger.kind) ? alerts.length - plain : 0;
  const ranked = [...byVehicle]
    .filter(([, counts]) => counts.before + counts.after > 0)
    .toSorted(([, a], [, b]) => b.after - a.after || b.before - a.before);
  const days = daysBetween(isoDateOf(Date.parse(tested.from), timeZone), isoDateOf(Date.parse(tested.to), timeZone));
  const most = Math.max(1, ...ranked.map(([, counts]) => Math.max(counts.after, hasPlain ? counts.before : 0)));
  return (
    <>
      <div className={styles.answer}>
        {hasPlain && (
          <>
            <p className={styles.before}>
              <b>{formatCount(plain)}</b> {t('test.times', { count: plain })} <span>{t('test.before')}</span>
            </p>
            <IconArrowRight size={20} stroke={1.75} aria-hidden />
          </>
        )}
        <p className={styles.after}>
          <b>{formatCount(alerts.length)}</b> {t('test.times', { count: alerts.length })} <span>{t('test.after')}</span>
        </p>
        <Why {...{ alerts, missed, muted, nameOf, plain: hasPlain ? plain : 0, byVehicle }} />
      </div>
      {(plain > 0 || alerts.length > 0) && (
        <>
          <div className={styles.stripHead}>
            <h4>{t('test.byDay')}</h4>
            <Button variant="text" onClick={() => setAsTable(!asTable)} aria-pressed={asTable}>
              {t(asTable ? 'test.asStrip' : 'test.asTable')}
            </Button>
          </div>
          <DayByDay {...{ days, before: hasPlain ? before : null, after, asTable }} />
          <h4>{t('test.byVehicle')}</h4>
          <ul className={styles.bars}>
            {ranked.slice(0, VEHICLES_SHOWN).map(([id, counts]) => (
              <li key={id}>
                <Plate>{nameOf(id)}</Plate>
                <span className={styles.bar} aria-hidden="true">
                  {hasPlain && <span data-before style={{ width: `${(counts.before / most) * 100}%` }} />}
                  <span style={{ width: `${(counts.after / most) * 100}%` }} />
                </span>
                <span className={styles.figures}>
                  {hasPlain && (
                    <>
                      <span>{formatCount(counts.before)}</span> <span aria-hidden="true">→</span>{' '}
                    </>
                  )}
                  <b>{formatCount(counts.after)}</b>
                </span>
              </li>
            ))}
          </ul>
          {ranked.length > VEHICLES_SHOWN && (
            <p className={form.quiet}>{t('test.moreVehicles', { count: ranked.length - VEHICLES_SHOWN })}</p>
          )}
        </>
      )}
      <Suggested {...{ ruleId, tested, mayTry, onTry }} />
      <Variants {...{ tested, mayTry, onTry }} />
      {alerts.length > 0 && <BacktestSample alerts={alerts} nameOf={nameOf} />}
    </>
  );
}

interface WhyProps {
  readonly alerts: readonly BacktestAlert[];
  readonly plain: number;
  /** Crossings between two fixes. */
  readonly missed: number;
  readonly muted: number;
  readonly byVehicle: ReadonlyMap<string, { readonly before: number; readonly after: number }>;
  readonly nameOf: (id: string) => string;
}

/** What explains the number of alerts: the few vehicles that cause most of them, and what was held back. */
function Why({ alerts, byVehicle, missed, muted, nameOf, plain }: WhyProps) {
  const { t } = useTranslation('rules');
  const saved = [...byVehicle]
    .map(([id, { after, before }]) => ({ id, count: before - after }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
  const noisy: typeof saved = [];
  for (const each of saved) {
    if (noisy.length >= NOISY_MAX || noisy.reduce((sum, { count }) => sum + count, 0) > plain * 0.6) break;
    noisy.push(each);
  }
  const ofNoisy = noisy.reduce((sum, { count }) => sum + count, 0);
  const lines = [
    plain > 10 && ofNoisy > plain * 0.5 && byVehicle.size > noisy.length
      ? t('test.noisy', {
          count: noisy.length,
          held: formatCount(ofNoisy),
          all: formatCount(plain),
          names: listOf(noisy.map(({ id }) => nameOf(id))),
        })
      : '',
    missed > 0 ? t('test.missed', { count: missed }) : '',
    muted > 0 ? t('test.muted', { count: muted }) : '',
    alerts.length === 0 ? t('test.never') : '',
  ].filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <p className={styles.why}>
      <IconBulb {...ICON} size={18} />
      {lines.join(' ')}
    </p>
  );
}

interface DaysProps {
  readonly days: readonly string[];
  readonly before: ReadonlyMap<string, number> | null;
  readonly after: ReadonlyMap<string, number>;
  readonly asTable: boolean;
}

/** `1K`, which fits into a day. */
const compact = (count: number): string => numberFormat({ notation: 'compact' }).format(count);

function DayByDay({ after, asTable, before, days }: DaysProps) {
  const { t } = useTranslation('rules');
  const dayText = (day: string): string =>
    dateFormat({ timeZone: 'UTC', month: 'short', day: 'numeric' }).format(Date.parse(day));
  const monthText = (day: string): string => dateFormat({ timeZone: 'UTC', month: 'short' }).format(Date.parse(day));
  const rows = [
    ...(before ? [{ id: 'before' as const, counts: before }] : []),
    { id: 'after' as const, counts: after },
  ];
  const most = Math.max(1, ...rows.flatMap(({ counts }) => [...counts.values()]));
  if (asTable) {
    return (
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('test.day')}</th>
              {rows.map(({ id }) => (
                <th key={id} scope="col">
                  {t(`test.${id}Short`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(day => (
              <tr key={day}>
                <th scope="row">{dayText(day)}</th>
                {rows.map(({ id, counts }) => (
                  <td key={id}>{formatCount(counts.get(day) ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
  return (
    <div className={styles.strip} style={{ '--days': days.length } as React.CSSProperties}>
      {rows.map(({ id, counts }) => (
        <div
          key={id}
          className={styles.stripRow}
          data-row={id}
          role="img"
          aria-label={t(`test.${id}Spoken`, { count: [...counts.values()].reduce((a, b) => a + b, 0) })}
        >
          <span>{t(`test.${id}Short`)}</span>
          {days.map(day => {
            const count = counts.get(day) ?? 0;
            return (
              <span
                key={day}
                className={styles.cell}
                style={{ '--heat': count / most } as React.CSSProperties}
                data-none={count === 0 || undefined}
                data-wide={count > 99 || undefined}
                title={`${dayText(day)}: ${formatCount(count)}`}
              >
                {count === 0 ? '–' : count > 999 ? compact(count) : formatCount(count)}
              </span>
            );
          })}
        </div>
      ))}
      <div className={styles.stripRow} data-row="days" aria-hidden="true">
        <span />
        {days.map((day, nth) => (
          <span key={day} className={styles.day}>
            {Number(day.slice(8))}
            {(nth === 0 || day.endsWith('-01')) && <b>{monthText(day)}</b>}
          </span>
        ))}
      </div>
    </div>
  );
}

const durationOf = (trigger: Tested['rule']['trigger']): number =>
  'seconds' in trigger ? trigger.seconds : 'minutes' in trigger ? trigger.minutes : 0;

function durationText(trigger: Tested['rule']['trigger'], duration: number, texts: RuleTexts): string {
  if ('seconds' in trigger) return secondsText(duration, texts);
  return duration === 0 ? texts.unit.none : minutesText(duration, texts);
}

/** The duration that would silence the noise, and keep what people acted on. */
function Suggested({ ruleId, tested, mayTry, onTry }: ResultsProps) {
  const { t } = useTranslation('rules');
  const texts = useRuleTexts();
  const { alerts, from, rule, state, to, variants } = tested;
  const isDone = state === 'done' && variants.length > 0;
  const { data: actedOn, isError } = useQuery({
    queryKey: ['rule-acted-on', ruleId, from, to],
    queryFn: () => readActedOn(ruleId ?? '', from, to),
    enabled: isDone && ruleId !== null,
  });
  // A suggestion that may lose what people acted on is none.
  if (!isDone || isError || (ruleId !== null && !actedOn)) return null;
  const found = suggestionOf(tested, durationOf(rule.trigger), actedOn ?? []);
  if (!found) return null;
  const duration = durationText(rule.trigger, found.duration, texts);
  const all = formatCount(alerts.filter(({ setting }) => setting === 0).length);
  return (
    <section className={styles.suggestion} aria-label={t('test.suggestion')}>
      <IconBulb {...ICON} size={18} />
      <div>
        <p>
          {t('test.suggested', { duration, all, count: found.count })}
          {found.kept > 0 && ` ${t('test.keeps', { count: found.kept })}`}
        </p>
        {mayTry && (
          <Button variant="text" onClick={() => onTry(found.duration)}>
            {t('test.try', { duration })}
          </Button>
        )}
      </div>
    </section>
  );
}

/** How many alerts other durations would have caused; one click chooses a duration. */
function Variants({ tested, mayTry, onTry }: Omit<ResultsProps, 'ruleId'>) {
  const { t } = useTranslation('rules');
  const texts = useRuleTexts();
  const { trigger } = tested.rule;
  if (tested.variants.length === 0) return null;
  const text = (duration: number): string => durationText(trigger, duration, texts);
  const now = durationOf(trigger);
  const all = [
    { setting: 0, duration: now },
    ...tested.variants.map((duration, nth) => ({ setting: nth + 1, duration })),
  ]
    .map(each => ({ ...each, count: tested.alerts.filter(({ setting }) => setting === each.setting).length }))
    .toSorted((a, b) => a.duration - b.duration);
  return (
    <>
      <h4>{t('test.variants')}</h4>
      <ul className={styles.variants}>
        {all.map(({ count, duration, setting }) => (
          <li key={setting} data-now={setting === 0 || undefined}>
            <span>{text(duration)}</span>
            <b>{t('test.alerts', { count, shown: formatCount(count) })}</b>
            {setting === 0 ? (
              <span className={form.quiet}>{t('test.now')}</span>
            ) : (
              mayTry && (
                <Button variant="text" onClick={() => onTry(duration)}>
                  {t('test.try', { duration: text(duration) })}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = shifted(day, 1)) days.push(day);
  return days;
}
