import { type RuleTrigger, type RuleWhen, weekdayName } from '@milepost/contract';
import { useAccountSettings } from '../base/account-settings.ts';
import { useRuleReader } from './rule-words.ts';
import styles from './WeekCalendar.module.css';
import { minuteOf, type Span, weekOf } from './week.ts';

const DAY_MINUTES = 1440;
const MINUTE_MS = 60_000;
const AXIS = [0, 6, 12, 18, 24] as const;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** How wide a single moment is drawn, in minutes. */
const MOMENT = 20;

interface Props {
  /** Null: always. */
  readonly when: RuleWhen | null;
  /** If the rule looks at one time of the day instead. */
  readonly moment?: (RuleTrigger & { kind: 'absent' }) | null;
  /** The same in words. */
  readonly label: string;
  /** To mark it; left out where the week is only being typed. */
  readonly nowMs?: number;
}

/** At what times of the week a rule counts, by the account's clocks. */
export function WeekCalendar({ when, moment = null, label, nowMs }: Props) {
  const { language } = useRuleReader();
  const { firstWeekday, timeZone } = useAccountSettings();
  const spans = moment ? momentsOf(moment) : weekOf(when);
  const now = nowMs === undefined ? null : weekTime(nowMs, timeZone);
  const days = Array.from({ length: 7 }, (_, nth) => (firstWeekday - 1 + nth) % 7);
  return (
    <div className={styles.week} role="img" aria-label={label}>
      {days.map(day => (
        <div key={day} className={styles.day} data-today={now?.day === day || undefined}>
          <span className={styles.name}>{weekdayName(day + 1, language)}</span>
          <span className={styles.track}>
            {spans[day]?.map(([from, to]) => (
              <i
                key={from}
                className={styles.span}
                style={{ insetInlineStart: percent(from), width: percent(to - from) }}
              />
            ))}
            {now?.day === day && <i className={styles.now} style={{ insetInlineStart: percent(now.minute) }} />}
          </span>
        </div>
      ))}
      <div className={styles.axis}>
        {AXIS.map(hour => (
          <span key={hour} style={{ insetInlineStart: percent(hour * 60) }}>
            {hour}
          </span>
        ))}
      </div>
    </div>
  );
}

const percent = (minutes: number): string => `${(minutes / DAY_MINUTES) * 100}%`;

function momentsOf({ at, days }: { readonly at: string; readonly days: readonly number[] }): readonly Span[][] {
  const minute = Math.min(minuteOf(at), DAY_MINUTES - MOMENT);
  return Array.from({ length: 7 }, (_, day) => (days.includes(day + 1) ? [[minute, minute + MOMENT]] : []));
}

/** The day of the week (0 is Monday) and the minute of a moment, by the clocks of a time zone. */
function weekTime(ms: number, timeZone: string): { readonly day: number; readonly minute: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).formatToParts(Math.floor(ms / MINUTE_MS) * MINUTE_MS);
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find(part => part.type === type)?.value ?? '';
  return { day: WEEKDAYS.indexOf(of('weekday')), minute: Number(of('hour')) * 60 + Number(of('minute')) };
}
