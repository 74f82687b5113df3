import { runReport } from '@milepost/contract';
import { metres } from '@milepost/units';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountSettings, useAccountZone } from '../../base/account-settings.ts';
import { call } from '../../base/api.ts';
import { formatMonth, isoDateOf } from '../../format/date.ts';
import { dateFormat, formatCount } from '../../format/locale.ts';
import { distanceFigure, joined } from '../../format/measure.ts';
import { formatDay, formatDayIn, formatTime, midnightOf, momentOf, startOfDay, wallClock } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import hidden from '../../ui/hidden.module.css';
import { IconButton } from '../../ui/IconButton.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { isShown, MAX_DAYS, type Range } from './address.ts';
import styles from './DayPicker.module.css';
import { columnOf, isWholeDay, monthLater, monthOf, rangeOfDay, today } from './days.ts';

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

interface Props {
  readonly range: Range;
  readonly vehicles: readonly string[];
  readonly onChange: (range: Range) => void;
  readonly onStep: (direction: 1 | -1) => void;
}

/** The range as text. It opens a calendar that shows which days have data. */
export function DayPicker({ range, vehicles, onChange, onStep }: Props) {
  const { t } = useTranslation('replay');
  return (
    <div className={styles.when}>
      <IconButton bordered label={t('previousDay')} onClick={() => onStep(-1)}>
        <IconChevronLeft {...ICON} />
      </IconButton>
      <Popover
        label={t('chooseDay')}
        trigger={props => (
          <button type="button" {...props} className={buttonLook()}>
            <IconCalendar {...ICON} />
            <span>
              <RangeWords range={range} />
            </span>
          </button>
        )}
      >
        <Chooser range={range} vehicles={vehicles} onChange={onChange} />
      </Popover>
      <IconButton bordered label={t('nextDay')} disabled={range.toMs > Date.now()} onClick={() => onStep(1)}>
        <IconChevronRight {...ICON} />
      </IconButton>
    </div>
  );
}

function RangeWords({ range: { fromMs, toMs } }: { readonly range: Range }) {
  const { t } = useTranslation('replay');
  const zone = useAccountZone();
  const from = { day: formatDay(fromMs), time: formatTime(fromMs) };
  const to = { day: formatDay(toMs), time: formatTime(toMs) };
  if (isWholeDay({ fromMs, toMs }, zone)) return formatDayIn(fromMs, zone);
  if (from.day === to.day) return t('hours', { day: from.day, from: from.time, to: to.time });
  if (startOfDay(fromMs, zone) === fromMs && startOfDay(toMs, zone) === toMs) {
    return t('days', { from: formatDayIn(fromMs, zone), to: formatDayIn(toMs - 1, zone) });
  }
  return t('days', { from: `${from.day} ${from.time}`, to: `${to.day} ${to.time}` });
}

function Chooser({ range, vehicles, onChange }: Omit<Props, 'onStep'>) {
  const { t } = useTranslation('replay');
  const zone = useAccountZone();
  const chosen = isoDateOf(range.fromMs, zone);
  const [month, setMonth] = useState(chosen);
  const [from, setFrom] = useState(wallClock(range.fromMs));
  const [to, setTo] = useState(wallClock(range.toMs));
  const { firstWeekday } = useAccountSettings();
  const { distances, isReading } = useDistances(month, vehicles, zone);
  const system = useMeasureSystem();
  const weekday = dateFormat({ weekday: 'narrow', timeZone: 'UTC' });
  const now = today(zone);
  const apply = (next: Range, target: Element): void => {
    onChange(next);
    target.closest<HTMLElement>('[popover]')?.hidePopover();
  };
  const written = { fromMs: momentOf(from) ?? Number.NaN, toMs: momentOf(to) ?? Number.NaN };
  const problem = isShown(written) ? undefined : t('wrongRange', { days: MAX_DAYS });
  return (
    <div className={styles.chooser}>
      <header>
        <IconButton label={t('previousMonth')} onClick={() => setMonth(monthLater(month, -1))}>
          <IconChevronLeft {...ICON} />
        </IconButton>
        <h2 aria-live="polite">{formatMonth(month)}</h2>
        <IconButton
          label={t('nextMonth')}
          disabled={monthLater(month, 1) > now}
          onClick={() => setMonth(monthLater(month, 1))}
        >
          <IconChevronRight {...ICON} />
        </IconButton>
      </header>
      <div className={styles.month} aria-busy={isReading || undefined}>
        {WEEKDAYS.map(nth => (nth + firstWeekday) % 7).map(nth => (
          // November 1, 2026 was a Sunday.
          <span key={nth} className={styles.weekday} aria-hidden="true">
            {weekday.format(Date.UTC(2026, 10, 1 + nth))}
          </span>
        ))}
        {monthOf(month).map((day, nth) => {
          const distance = distances?.get(day);
          const words = distance === undefined ? '' : joined(distanceFigure(metres(distance), system));
          const isNone = distances !== undefined && distance === undefined;
          return (
            <button
              key={day}
              type="button"
              style={nth === 0 ? { gridColumnStart: columnOf(day, firstWeekday) } : undefined}
              disabled={day > now}
              aria-pressed={day === chosen}
              data-none={isNone || undefined}
              onClick={({ currentTarget }) => apply(rangeOfDay(day, zone), currentTarget)}
            >
              <span className={hidden.hidden}>{formatDay(midnightOf(day))} </span>
              <b aria-hidden="true">{formatCount(Number(day.slice(8)))}</b>
              {isNone ? <span className={hidden.hidden}>{t('noDataDay')}</span> : <small>{words}</small>}
            </button>
          );
        })}
      </div>
      {vehicles.length > 0 && <p>{t('perDay', { count: vehicles.length })}</p>}
      <form
        className={styles.exact}
        onSubmit={event => {
          event.preventDefault();
          if (problem === undefined) apply(written, event.currentTarget);
        }}
      >
        <TextField
          type="datetime-local"
          label={t('from')}
          value={from}
          onChange={event => setFrom(event.currentTarget.value)}
        />
        <TextField
          type="datetime-local"
          label={t('to')}
          value={to}
          error={problem}
          onChange={event => setTo(event.currentTarget.value)}
        />
        <Button type="submit" disabled={problem !== undefined}>
          {t('show')}
        </Button>
      </form>
    </div>
  );
}

/** How far these vehicles drove on each day of the month; days without data are missing. */
function useDistances(month: string, vehicles: readonly string[], zone: string | undefined) {
  const now = today(zone);
  const from = `${month.slice(0, 7)}-01`;
  const last = new Date(Date.parse(`${monthLater(month, 1)}T00:00:00Z`) - 1).toISOString().slice(0, 10);
  const { data, isFetching } = useQuery({
    queryKey: ['replay-days', from, vehicles.join(',')],
    enabled: vehicles.length > 0 && from <= now,
    queryFn: async () => {
      const to = last < now ? last : now;
      const query = { from, to, vehicles: vehicles.join(','), groupBy: 'day', limit: 1 } as const;
      const { columns, groups } = await call(runReport, { params: { key: 'daily-summary' }, query });
      const at = columns.findIndex(({ key }) => key === 'distance');
      return new Map(groups.map(({ label, totals }) => [label, Number(totals[at] ?? 0)]));
    },
  });
  return { distances: data, isReading: isFetching };
}
