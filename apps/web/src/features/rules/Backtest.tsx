import { type BacktestAlert, type NewRule, newRuleSchema, type RuleTriggerKind } from '@milepost/contract';
import { IconArrowRight, IconBulb, IconChevronLeft, IconChevronRight, IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { figuresText } from '../../alerts/alert-words.ts';
import { useAccountSettings } from '../../base/account-settings.ts';
import { describeError } from '../../base/describe-error.ts';
import { accountDate, shifted } from '../../figures/period.ts';
import { formatDuration } from '../../format/duration.ts';
import { dateFormat, formatCount, listOf, numberFormat } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { paths } from '../../paths.ts';
import { minutesText } from '../../rules/rule-words.ts';
import { type Tested, useBacktest } from '../../rules/use-rules.ts';
import { Button } from '../../ui/Button.tsx';
import { FactList } from '../../ui/FactList.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { EventSketch } from './EventSketch.tsx';
import styles from './RulesPage.module.css';
import { variantsOf } from './rule-form.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const PERIODS = ['7', '30', '60'] as const;
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

interface Props {
  readonly draft: NewRule;
  readonly mayEdit: boolean;
  /** Uses another duration: minutes, or seconds for a rule about speed. */
  readonly onTry: (duration: number) => void;
}

/** The parts of a rule that decide when it alerts, without those that decide who is told. */
const termsOf = ({ conditions, geofenceIds, repeatMinutes, trigger, vehicles, when, where }: NewRule) => ({
  ...{ conditions, geofenceIds, repeatMinutes, trigger, vehicles, when, where },
});

/** Shows what the rule would have alerted in the past, before it alerts anyone. */
export function Backtest({ draft, mayEdit, onTry }: Props) {
  const { t } = useTranslation('rules');
  const [days, setDays] = useState<(typeof PERIODS)[number]>('30');
  const { run, stop, tested } = useBacktest();
  const terms = termsOf(draft);
  const isValid = newRuleSchema.safeParse({ ...terms, name: '-' }).success;
  const isOld = tested !== null && JSON.stringify(tested.rule) !== JSON.stringify(terms);
  const isRunning = tested?.state === 'running';
  const start = (): void => run(terms, Number(days), variantsOf(terms.trigger));
  return (
    <section className={styles.card} aria-label={t('test.title')} aria-busy={isRunning || undefined}>
      <div className={styles.testHead}>
        <h3>{t('test.title')}</h3>
        <SelectField
          label={t('test.period')}
          value={days}
          options={PERIODS.map(value => ({ value, label: t('test.days', { count: Number(value) }) }))}
          onChange={event => setDays(event.currentTarget.value as (typeof PERIODS)[number])}
        />
        {isRunning ? (
          <Button onClick={stop}>{t('test.stop')}</Button>
        ) : (
          <Button icon={<IconHistory {...ICON} />} disabled={!isValid} onClick={start}>
            {t(tested ? 'test.again' : 'test.run')}
          </Button>
        )}
      </div>
      {!isValid && <p className={styles.quiet}>{t('test.incomplete')}</p>}
      {tested === null && isValid && <p className={styles.quiet}>{t('test.text')}</p>}
      {tested && (
        <>
          <Progress tested={tested} />
          {tested.error && (
            <Notice tone="critical" role="alert">
              {describeError(tested.error).message}
            </Notice>
          )}
          {isOld && <Notice tone="warning">{t('test.old')}</Notice>}
          <Results tested={tested} mayTry={mayEdit} onTry={onTry} />
        </>
      )}
    </section>
  );
}

function Progress({ tested }: { readonly tested: Tested }) {
  const { t } = useTranslation('rules');
  const { positions, state, tookMs, total, vehicles } = tested;
  const figures = {
    done: formatCount(vehicles.size),
    count: total,
    positions: formatCount(positions),
    seconds: numberFormat({ maximumFractionDigits: 1 }).format(tookMs / 1000),
  };
  return (
    <div role="status" className={styles.progress}>
      {state === 'running' && <progress max={Math.max(1, total)} value={vehicles.size} aria-label={t('test.title')} />}
      <p className={styles.quiet}>
        {t(state === 'done' ? 'test.done' : state === 'running' ? 'test.running' : 'test.stopped', figures)}
      </p>
    </div>
  );
}

interface ResultsProps {
  readonly tested: Tested;
  readonly mayTry: boolean;
  readonly onTry: (duration: number) => void;
}

function Results({ tested, mayTry, onTry }: ResultsProps) {
  const { t } = useTranslation('rules');
  const { timeZone } = useAccountSettings();
  const { data: vehicles } = useQuery(vehicleListQuery);
  const [asTable, setAsTable] = useState(false);
  const alerts = tested.alerts.filter(({ setting }) => setting === 0).toSorted((a, b) => a.at.localeCompare(b.at));
  const nameOf = (id: string): string => vehicles?.find(vehicle => vehicle.id === id)?.deviceName ?? t('word.gone');
  const before = new Map<string, number>();
  const after = new Map<string, number>();
  const byVehicle = new Map<string, { before: number; after: number }>();
  for (const [id, { plain }] of tested.vehicles) {
    for (const { count, day } of plain) before.set(day, (before.get(day) ?? 0) + count);
    byVehicle.set(id, { before: plain.reduce((sum, { count }) => sum + count, 0), after: 0 });
  }
  for (const { at, deviceId } of alerts) {
    const day = accountDate(Date.parse(at), timeZone);
    after.set(day, (after.get(day) ?? 0) + 1);
    const known = byVehicle.get(deviceId);
    if (known) known.after++;
  }
  const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
  const plain = sum(before);
  const muted = [...tested.vehicles.values()].reduce((total, each) => total + each.muted, 0);
  const hasPlain = !WITHOUT_PLAIN.has(tested.rule.trigger.kind);
  const ranked = [...byVehicle]
    .filter(([, counts]) => counts.before + counts.after > 0)
    .toSorted(([, a], [, b]) => b.after - a.after || b.before - a.before);
  const days = daysBetween(
    accountDate(Date.parse(tested.from), timeZone),
    accountDate(Date.parse(tested.to), timeZone),
  );
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
        <Why {...{ alerts, muted, nameOf, plain: hasPlain ? plain : 0, byVehicle }} />
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
            <p className={styles.quiet}>{t('test.moreVehicles', { count: ranked.length - VEHICLES_SHOWN })}</p>
          )}
        </>
      )}
      <Variants {...{ tested, mayTry, onTry }} />
      {alerts.length > 0 && <Sample alerts={alerts} nameOf={nameOf} />}
    </>
  );
}

interface WhyProps {
  readonly alerts: readonly BacktestAlert[];
  readonly plain: number;
  readonly muted: number;
  readonly byVehicle: ReadonlyMap<string, { readonly before: number; readonly after: number }>;
  readonly nameOf: (id: string) => string;
}

/** What explains the number of alerts: the few vehicles that cause most of them, and what was held back. */
function Why({ alerts, byVehicle, muted, nameOf, plain }: WhyProps) {
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

function DayByDay({ after, asTable, before, days }: DaysProps) {
  const { t } = useTranslation('rules');
  const dayText = (day: string): string =>
    dateFormat({ timeZone: 'UTC', month: 'short', day: 'numeric' }).format(Date.parse(day));
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
                {count === 0 ? '–' : formatCount(count)}
              </span>
            );
          })}
        </div>
      ))}
      <div className={styles.stripRow} aria-hidden="true">
        <span />
        {days.map(day => (
          <span key={day} className={styles.day}>
            {Number(day.slice(8))}
          </span>
        ))}
      </div>
    </div>
  );
}

/** How many alerts other durations would have caused; one click chooses a duration. */
function Variants({ tested, mayTry, onTry }: ResultsProps) {
  const { t } = useTranslation('rules');
  const { trigger } = tested.rule;
  if (tested.variants.length === 0) return null;
  const isSpeed = trigger.kind === 'speed';
  const text = (duration: number): string =>
    isSpeed ? t('unit.seconds', { seconds: duration }) : duration === 0 ? t('unit.none') : minutesText(duration, t);
  const now = isSpeed ? trigger.seconds : 'minutes' in trigger ? trigger.minutes : 0;
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
            <b>{t('test.alerts', { count })}</b>
            {setting === 0 ? (
              <span className={styles.quiet}>{t('test.now')}</span>
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

interface SampleProps {
  readonly alerts: readonly BacktestAlert[];
  readonly nameOf: (id: string) => string;
}

/** The alerts found, one at a time, each with its place. */
function Sample({ alerts, nameOf }: SampleProps) {
  const { t } = useTranslation('rules');
  const system = useMeasureSystem();
  const { data: geofences } = useGeofences();
  const { data: vehicles } = useQuery(vehicleListQuery);
  const [nth, setNth] = useState(0);
  const at = Math.min(nth, alerts.length - 1);
  const alert = alerts[at];
  if (!alert) return null;
  const geofence = geofences?.find(({ id }) => id === alert.geofenceId);
  const imei = vehicles?.find(({ id }) => id === alert.deviceId)?.imei;
  const [beganMs, atMs] = [Date.parse(alert.beganAt), Date.parse(alert.at)];
  const endMs = alert.endedAt === null ? null : Date.parse(alert.endedAt);
  const nowMs = Date.now();
  return (
    <section className={styles.sample} aria-label={t('sample.title')}>
      <div className={styles.stripHead}>
        <h4>{t('sample.title')}</h4>
        <span className={styles.quiet} role="status">
          {t('sample.of', { number: formatCount(at + 1), count: alerts.length })}
        </span>
        <IconButton label={t('sample.previous')} bordered disabled={at === 0} onClick={() => setNth(at - 1)}>
          <IconChevronLeft {...ICON} />
        </IconButton>
        <IconButton
          label={t('sample.next')}
          bordered
          disabled={at === alerts.length - 1}
          onClick={() => setNth(at + 1)}
        >
          <IconChevronRight {...ICON} />
        </IconButton>
      </div>
      <div className={styles.sampleBody}>
        <EventSketch key={`${alert.deviceId} ${alert.at}`} alert={alert} geofence={geofence} />
        <FactList
          facts={[
            [
              t('sample.vehicle'),
              imei ? (
                <Link key="vehicle" to={paths.vehicleOnMap(imei)}>
                  <Plate>{nameOf(alert.deviceId)}</Plate>
                </Link>
              ) : (
                nameOf(alert.deviceId)
              ),
            ],
            [
              t('sample.geofence'),
              geofence && (alert.crossing ? t(`sample.${alert.crossing}`, geofence) : geofence.name),
            ],
            [t('sample.began'), formatMoment(beganMs, nowMs)],
            [t('sample.alert'), formatMoment(atMs, nowMs)],
            [
              t('sample.ended'),
              endMs === null ? t('sample.lasts') : `${formatMoment(endMs, nowMs)} · ${formatDuration(endMs - beganMs)}`,
            ],
            [t('sample.measured'), figuresText(alert.figures, system)],
          ]}
        />
      </div>
    </section>
  );
}

function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = shifted(day, 1)) days.push(day);
  return days;
}
