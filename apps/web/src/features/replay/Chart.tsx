import { metresPerSecond, toKilometresPerHour, toMilesPerHour } from '@milepost/units';
import { IconChevronDown } from '@tabler/icons-react';
import { memo, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, numberFormat } from '../../format/locale.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { type Range, SPEED_CHART } from './address.ts';
import styles from './Chart.module.css';
import { axisOf, extremesOf, fieldPath, fieldsOf, isKnownField, shownIn, unitOf } from './chart.ts';
import { indexAt, momentAt, type Past } from './past.ts';
import type { Player } from './player.ts';
import { setText, speedWords } from './Readout.tsx';
import type { ReplayedVehicle } from './replay-tracks.ts';
import { speedAxis, speedPath } from './ruler.ts';
import timeline from './Timeline.module.css';

/** With more lines than this, those out of focus are dimmed. */
const MANY = 5;

interface ChartProps {
  readonly player: Player;
  readonly vehicles: readonly ReplayedVehicle[];
  readonly view: Range;
  readonly focus: string | null;
  readonly field: string;
  readonly onField: (field: string) => void;
  readonly onOffer: () => void;
}

/** One measured field of all vehicles over time: their speed or any other value. */
export function Chart({ player, vehicles, view, focus, field, onField, onOffer }: ChartProps) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const offered = useMemo(() => fieldsOf(vehicles.map(({ measures }) => measures)), [vehicles]);
  const isSpeed = field === SPEED_CHART;
  // The field in the address stays in the list while it loads, and even if no vehicle measured it.
  const fields = isSpeed || offered.includes(field) ? offered : [field, ...offered];
  const nameOf = (each: string): string => {
    const unit = unitOf(each, system);
    const name = isKnownField(each) ? t(`field.${each}`) : each;
    return unit === '' ? name : t('fieldIn', { name, unit });
  };
  const focused = vehicles.find(({ past }) => past.vehicleId === focus);
  return (
    <div className={timeline.row} data-speeds>
      <span className={timeline.name} data-chart>
        <span className={styles.field}>
          <select
            aria-label={t('chartOf')}
            value={field}
            onPointerDown={onOffer}
            onFocus={onOffer}
            onChange={({ currentTarget }) => onField(currentTarget.value)}
          >
            <option value={SPEED_CHART}>{t('speedOf', { unit: system.distance === 'mi' ? 'mph' : 'km/h' })}</option>
            {fields.map(each => (
              <option key={each} value={each}>
                {nameOf(each)}
              </option>
            ))}
          </select>
          <IconChevronDown size={13} stroke={1.75} aria-hidden />
        </span>
        {focused && <Value player={player} vehicle={focused} field={field} />}
      </span>
      {isSpeed ? (
        <Speeds vehicles={vehicles} view={view} focus={focus} />
      ) : (
        <Field vehicles={vehicles} view={view} focus={focus} field={field} name={nameOf(field)} />
      )}
    </div>
  );
}

interface ValueProps {
  readonly player: Player;
  readonly vehicle: ReplayedVehicle;
  readonly field: string;
}

/** Number format of a value, with no more decimals than its axis needs. */
const figureFormat = () => numberFormat({ maximumFractionDigits: 2 });

/** The focused vehicle's value at the playhead. Written directly to the page, without React. */
function Value({ player, vehicle, field }: ValueProps) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const text = useRef<HTMLElement>(null);
  useEffect(
    () =>
      player.onTime(atMs => {
        if (text.current) setText(text.current, valueWords(vehicle, field, atMs, system));
      }),
    [player, vehicle, field, system],
  );
  return (
    <small title={t('valueOf', { name: vehicle.name })}>
      {vehicle.name} <b ref={text} />
    </small>
  );
}

function valueWords(
  { past, measures }: ReplayedVehicle,
  field: string,
  atMs: number,
  system: ReturnType<typeof useMeasureSystem>,
): string {
  if (field === SPEED_CHART) return speedWords(momentAt(past, atMs)?.speed ?? null, system);
  const values = measures?.fields.get(field);
  const i = measures ? indexAt(measures.timeMs, atMs) : -1;
  const value = values?.[i];
  if (value === undefined || Number.isNaN(value)) return '–';
  return `${figureFormat().format(shownIn(field, value, system))} ${unitOf(field, system)}`.trim();
}

interface FieldProps {
  readonly vehicles: readonly ReplayedVehicle[];
  readonly view: Range;
  readonly focus: string | null;
  readonly field: string;
  /** Name of the field with its unit. */
  readonly name: string;
}

const Field = memo(function Field({ vehicles, view, focus, field, name }: FieldProps) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const lines = useMemo(
    () =>
      vehicles.flatMap(({ past: { vehicleId }, color, measures }) => {
        const values = measures?.fields.get(field);
        if (!measures || !values) return [];
        const { timeMs } = measures;
        return [{ vehicleId, color, timeMs, values: values.map(value => shownIn(field, value, system)) }];
      }),
    [vehicles, field, system],
  );
  const { axis, paths, extremes } = useMemo(() => {
    const extremes = extremesOf(
      lines.map(({ timeMs, values }) => [timeMs, values] as const),
      view,
    );
    const axis = axisOf(extremes.least, extremes.most);
    return { extremes, axis, paths: lines.map(({ timeMs, values }) => fieldPath(timeMs, values, view, axis)) };
  }, [lines, view]);
  const isRead = vehicles.every(({ measures }) => measures !== null);
  const isEmpty = Number.isNaN(extremes.least);
  const format = figureFormat();
  const ordered = lines
    .map((line, i) => ({ ...line, path: paths[i] ?? '' }))
    .toSorted((a, b) => Number(a.vehicleId === focus) - Number(b.vehicleId === focus));
  const share = (mark: number): number => (mark - axis.bottom) / (axis.top - axis.bottom);
  return (
    <div className={styles.speeds} data-many={vehicles.length > MANY || undefined}>
      <svg
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={
          isEmpty
            ? t('fieldNone', { name })
            : t('fieldChart', { name, least: format.format(extremes.least), most: format.format(extremes.most) })
        }
      >
        {axis.marks.map(mark => (
          <path key={mark} className={styles.grid} d={`M0 ${1 - share(mark)}H1`} />
        ))}
        {ordered.map(({ vehicleId, color, path }) => (
          <path
            key={vehicleId}
            d={path}
            style={{ stroke: `var(${color})` }}
            data-focus={vehicleId === focus || undefined}
          />
        ))}
      </svg>
      {isEmpty && isRead && <em>{t('fieldNone', { name })}</em>}
      {axis.marks.map(mark => (
        <span key={mark} className={styles.mark} style={{ bottom: `${share(mark) * 100}%` }} aria-hidden="true">
          {format.format(mark)}
        </span>
      ))}
    </div>
  );
});

interface SpeedsProps {
  readonly vehicles: readonly ReplayedVehicle[];
  readonly view: Range;
  readonly focus: string | null;
}

const Speeds = memo(function Speeds({ vehicles, view, focus }: SpeedsProps) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const isMiles = system.distance === 'mi';
  const shown = (speed: number): number =>
    isMiles ? toMilesPerHour(metresPerSecond(speed)) : toKilometresPerHour(metresPerSecond(speed));
  const most = useMemo(() => vehicles.reduce((known, { past }) => Math.max(known, fastest(past)), 0), [vehicles]);
  const { top, marks } = speedAxis(shown(most));
  const topSpeed = top / shown(1);
  const lines = useMemo(
    () => vehicles.map(vehicle => ({ ...vehicle, path: speedPath(vehicle.past.track, view, topSpeed) })),
    [vehicles, view, topSpeed],
  );
  // The focused vehicle is drawn last, on top.
  const ordered = lines.toSorted((a, b) => Number(a.past.vehicleId === focus) - Number(b.past.vehicleId === focus));
  return (
    <div className={styles.speeds} data-many={vehicles.length > MANY || undefined}>
      <svg
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('speedChart', { speed: speedWords(most, system) })}
      >
        {marks.map(mark => (
          <path key={mark} className={styles.grid} d={`M0 ${1 - mark / top}H1`} />
        ))}
        {ordered.map(({ past: { vehicleId }, color, path }) => (
          <path
            key={vehicleId}
            d={path}
            style={{ stroke: `var(${color})` }}
            data-focus={vehicleId === focus || undefined}
          />
        ))}
      </svg>
      {marks.map(mark => (
        <span key={mark} className={styles.mark} style={{ bottom: `${(mark / top) * 100}%` }} aria-hidden="true">
          {formatCount(mark)}
        </span>
      ))}
    </div>
  );
});

const fastest = ({ track: { speed } }: Past): number =>
  speed.reduce((known, value) => (value > known ? value : known), 0);
