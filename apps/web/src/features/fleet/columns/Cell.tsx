import { IconKey, IconKeyOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { AlertBadge } from '../../../alerts/AlertBadge.tsx';
import { ExpiryChip } from '../../../documents/ExpiryChip.tsx';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useClock, useFromNow } from '../../../live/view.ts';
import { clocksAt, isWorking } from '../../../logbook/clocks.ts';
import { isLate, willBeLate } from '../../../tasks/task-times.ts';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { urgencyOf } from '../../../ui/HoursBar.tsx';
import hidden from '../../../ui/hidden.module.css';
import { isOld } from '../../../vehicles/vehicle-shape.ts';
import { driverOf } from '../../../vehicles/vehicle-words.ts';
import { ENDS_SOON_DAYS, type FleetFacts } from '../facts.ts';
import styles from './Cell.module.css';
import type { ColumnId } from './column-ids.ts';
import { COLUMNS } from './columns.ts';

interface Props {
  readonly column: ColumnId;
  readonly entry: VehicleEntry;
  readonly facts: FleetFacts;
}

/** A vehicle's cell in a column: text, and for some columns a symbol that is quicker to read. */
export function Cell({ column, entry, facts }: Props) {
  const { t } = useTranslation(['fleet', 'vehicle']);
  const system = useMeasureSystem();
  const clock = useClock();
  if (AGING.has(column)) return <AgingText column={column} entry={entry} facts={facts} />;
  const text = COLUMNS[column].text(entry, facts, { t, system, nowMs: clock.now() });
  switch (column) {
    case 'alerts':
      return <AlertBadge alerts={facts.alertsOf(entry.vehicle)} />;
    case 'driver':
      return text === '' ? (
        <span className={styles.quiet}>{t('cell.noDriver')}</span>
      ) : (
        <Driver {...{ entry, facts }} />
      );
    case 'duty':
      return <Duty entry={entry} facts={facts} />;
    case 'speed':
      return <b data-old={isOld(entry) || undefined}>{text}</b>;
    case 'ignition':
      return <Ignition on={entry.report?.ignitionStatus ?? null} text={text} />;
    case 'fuel':
      return <Fuel percent={entry.report?.fuelGage ?? null} text={text} />;
    case 'vin':
    case 'imei':
      return <span className={styles.mono}>{text}</span>;
    case 'documents':
      return entry.vehicle.documentsExpireOn && <ExpiryChip expiresOn={entry.vehicle.documentsExpireOn} />;
    case 'days':
      return <span data-ends={endsOf(entry.vehicle.daysRemaining)}>{text}</span>;
    case 'place':
    case 'folder':
    case 'tags':
    case 'vehicle':
    case 'tracker':
      return <Short>{text}</Short>;
    default:
      return text;
  }
}

const AGING: ReadonlySet<ColumnId> = new Set(['since', 'age', 'inside', 'hours', 'task']);
/** Cut to one line, so hovering shows the rest. */
const LONG: ReadonlySet<ColumnId> = new Set(['inside', 'task']);

/** Text that changes as time passes. Only this cell renders again, and only when its text changes. */
function AgingText({ column, entry, facts }: Props) {
  const { t } = useTranslation(['fleet', 'vehicle']);
  const system = useMeasureSystem();
  const isPast = usePast() !== undefined;
  const text = useFromNow(nowMs => COLUMNS[column].text(entry, facts, { t, system, nowMs, isPast }));
  return (
    <span
      className={styles.aging}
      data-column={column}
      data-old={(isOld(entry) && column !== 'hours' && column !== 'task') || undefined}
      data-tone={useTone(column, entry, facts)}
      title={LONG.has(column) ? text : undefined}
    >
      {text}
    </span>
  );
}

/** The driver on duty has little time left, or the vehicle will be late. */
function useTone(column: ColumnId, entry: VehicleEntry, { hoursOf, taskOf }: FleetFacts): string | undefined {
  const tone = useFromNow(nowMs => {
    if (column === 'hours') {
      const row = hoursOf?.(entry);
      if (!row || !isWorking(row.status)) return '';
      const { drive, window } = clocksAt(row, nowMs);
      return urgencyOf(Math.min(drive.leftS, window.leftS));
    }
    const task = column === 'task' && taskOf?.(entry);
    return task && (isLate(task, nowMs) || willBeLate(task)) ? 'late' : '';
  });
  return tone || undefined;
}

/** The driver, after their duty status if they are signed in to the vehicle. */
function Driver({ entry, facts }: Omit<Props, 'column'>) {
  const driver = driverOf(entry);
  const isSignedIn = facts.hoursOf?.(entry)?.driverId === driver?.id;
  return (
    <span className={styles.driver}>
      {isSignedIn && <Duty entry={entry} facts={facts} />}
      <Short>{driver?.name ?? ''}</Short>
    </span>
  );
}

function Duty({ entry, facts }: Omit<Props, 'column'>) {
  const { t } = useTranslation('logbook');
  const row = facts.hoursOf?.(entry);
  return row && <DutyChip status={row.status} label={t(`status.${row.status}`)} />;
}

/** Cuts the text to one line; hovering shows all of it. */
const Short = ({ children }: { readonly children: string }) => (
  <span className={styles.short} title={children}>
    {children}
  </span>
);

function Ignition({ on, text }: { readonly on: 0 | 1 | null; readonly text: string }) {
  if (on === null) return null;
  const Icon = on === 1 ? IconKey : IconKeyOff;
  return (
    <span className={styles.ignition} data-on={on === 1 || undefined} title={text}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span className={hidden.hidden}>{text}</span>
    </span>
  );
}

/** Below this percentage, the vehicle must refuel. */
const LOW_FUEL = 25;

function Fuel({ percent, text }: { readonly percent: number | null; readonly text: string }) {
  if (percent === null) return null;
  return (
    <span className={styles.fuel}>
      <span className={styles.meter} data-low={percent < LOW_FUEL || undefined} aria-hidden="true">
        <i style={{ width: `${Math.max(0, Math.min(100, percent))}%` }} />
      </span>
      {text}
    </span>
  );
}

function endsOf(days: number | null): 'over' | 'soon' | undefined {
  if (days === null) return undefined;
  return days === 0 ? 'over' : days <= ENDS_SOON_DAYS ? 'soon' : undefined;
}
