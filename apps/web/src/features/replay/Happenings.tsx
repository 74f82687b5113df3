import { metres } from '@milepost/units';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { alertFigures, alertWords } from '../../alerts/alert-words.ts';
import { formatDuration, formatTotal } from '../../format/duration.ts';
import { formatCount } from '../../format/locale.ts';
import { distanceFigure, joined, type MeasureSystem } from '../../format/measure.ts';
import { formatCoordinates, placeWords } from '../../format/place.ts';
import { formatDay, formatMoment, formatTime, startOfDay } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { Plate } from '../../ui/Plate.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import type { Range } from './address.ts';
import { type GapReason, gapReason } from './gaps.ts';
import { HappeningIcon } from './HappeningIcon.tsx';
import styles from './Happenings.module.css';
import type { FenceName, Happening } from './happenings.ts';
import { indexAt, sumsUntil } from './past.ts';
import type { Player } from './player.ts';
import { setText } from './Readout.tsx';
import type { ReplayedVehicle } from './replay-tracks.ts';

type List = 'events' | 'trips' | 'visits';

interface Props {
  readonly player: Player;
  readonly range: Range;
  readonly vehicles: readonly ReplayedVehicle[];
  readonly happenings: readonly Happening[];
  readonly fences: ReadonlyMap<string, FenceName>;
  readonly focus: string | null;
  readonly onOpen: (happening: Happening) => void;
}

/** Stops, events and trips of all vehicles. The list follows the clock, and a click in it sets the clock. */
export function Happenings({ player, range, vehicles, happenings, fences, focus, onOpen }: Props) {
  const { t } = useTranslation('replay');
  const [list, setList] = useState<List>('events');
  const lists = useMemo(
    () => ({
      events: happenings.filter(({ what }) => what.kind !== 'trip' && what.kind !== 'visit'),
      trips: happenings.filter(({ what }) => what.kind === 'trip'),
      visits: happenings.filter(({ what }) => what.kind === 'visit'),
    }),
    [happenings],
  );
  const focused = vehicles.find(({ past }) => past.vehicleId === focus);
  return (
    <div className={styles.panel}>
      <Tabs
        label={t('happenings')}
        tabs={(['events', 'trips', ...(lists.visits.length > 0 ? (['visits'] as const) : [])] as const).map(id => ({
          id,
          label: t(id),
          count: formatCount(lists[id].length),
        }))}
        chosen={list}
        onChoose={setList}
      >
        <Rows
          key={list}
          player={player}
          rows={lists[list]}
          vehicles={vehicles}
          fences={fences}
          range={range}
          onOpen={onOpen}
        />
      </Tabs>
      {focused && <Sums player={player} vehicle={focused} range={range} />}
    </div>
  );
}

interface RowsProps extends Omit<Props, 'happenings' | 'focus'> {
  readonly rows: readonly Happening[];
}

function Rows({ player, rows, vehicles, fences, range, onOpen }: RowsProps) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const list = useRef<HTMLOListElement>(null);
  const pasts = useMemo(() => new Map(vehicles.map(({ past }) => [past.vehicleId, past])), [vehicles]);
  const reasonOf = ({ vehicleId, what, fromMs, toMs }: Happening): GapReason | null => {
    const past = pasts.get(vehicleId);
    return what.kind === 'gap' && past ? gapReason(past, fromMs, toMs) : null;
  };
  const names = useMemo(() => new Map(vehicles.map(({ past, name }) => [past.vehicleId, name])), [vehicles]);

  // Marks the row of the current time, without React.
  useEffect(() => {
    const timesMs = rows.map(({ fromMs }) => fromMs);
    let current: Element | undefined;
    const end = player.onTime(atMs => {
      const next = list.current?.children[indexAt(timesMs, atMs)];
      if (next === current) return;
      current?.removeAttribute('aria-current');
      next?.setAttribute('aria-current', 'true');
      current = next;
      // Don't scroll while the user points at the list or works in it.
      if (list.current && !list.current.matches(':hover, :focus-within')) scrollTo(list.current, next);
    });
    return () => {
      end();
      current?.removeAttribute('aria-current');
    };
  }, [player, rows]);

  if (rows.length === 0) return vehicles.length > 0 && <p className={styles.none}>{t('noneYet')}</p>;
  const isLong = startOfDay(range.fromMs) !== startOfDay(range.toMs - 1);
  return (
    <ol ref={list} className={styles.list}>
      {rows.map(row => (
        <li key={row.id} data-severity={row.what.kind === 'alert' ? row.what.alert.severity : undefined}>
          <button type="button" onClick={() => onOpen(row)}>
            <span className={styles.time}>
              {isLong && <small>{formatDay(row.fromMs)}</small>}
              <time dateTime={new Date(row.fromMs).toISOString()}>{formatTime(row.fromMs)}</time>
            </span>
            <Plate>{names.get(row.vehicleId)}</Plate>
            <span className={styles.icon} data-kind={row.what.kind}>
              <HappeningIcon what={row.what} size={16} />
            </span>
            <span className={styles.what}>{wordsOf(row, { reason: reasonOf(row), fences, system }, t)}</span>
            <span className={styles.length}>{row.toMs > row.fromMs ? formatDuration(row.toMs - row.fromMs) : ''}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}

type Translate = ReturnType<typeof useTranslation<'replay'>>['t'];

interface Known {
  /** Why there is no data in this time. */
  readonly reason: GapReason | null;
  readonly fences: ReadonlyMap<string, FenceName>;
  readonly system: MeasureSystem;
}

function wordsOf({ what }: Happening, { reason, fences, system }: Known, t: Translate): string {
  if (what.kind === 'visit') return fences.get(what.visit.geofenceId)?.name ?? t('visit');
  if (what.kind === 'alert')
    return [alertWords(what.alert), alertFigures(what.alert, system)].filter(Boolean).join(', ');
  const { leg } = what;
  const end = what.kind === 'trip' ? leg.end : (leg.start ?? leg.end);
  const place = end ? placeWords(end, system) || formatCoordinates(end.lat, end.lon) : '';
  const distance = joined(distanceFigure(metres(leg.distanceM), system));
  if (what.kind === 'gap') {
    const why = reason === null ? t('gapRow') : t(`gapReason.${reason}`);
    return place === '' ? why : t('gapAt', { why, place });
  }
  if (what.kind === 'trip') return place === '' ? distance : t('tripTo', { distance, place });
  return place === '' ? t('stop') : place;
}

/** Scrolls only the panel, not the page around it. */
function scrollTo(list: Element, row: Element | undefined): void {
  const panel = list.parentElement;
  if (!panel || !row) return;
  const [outer, inner] = [panel.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    panel.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

interface SumsProps {
  readonly player: Player;
  readonly vehicle: ReplayedVehicle;
  readonly range: Range;
}

const SUMS_EVERY_MS = 250;

/** The vehicle's totals up to the current time. */
function Sums({ player, vehicle, range }: SumsProps) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const list = useRef<HTMLDListElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      timer = undefined;
      const { distanceM, ms } = sumsUntil(vehicle.past.segments, player.atMs);
      const words = [
        joined(distanceFigure(metres(distanceM), system)),
        ...[ms.moving, ms.idling, ms.stopped].map(formatTotal),
      ];
      for (const [i, figure] of [...(list.current?.querySelectorAll('dd') ?? [])].entries()) {
        setText(figure, words[i] ?? '');
      }
    };
    write();
    const end = player.onTime(() => {
      timer ??= setTimeout(write, SUMS_EVERY_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [player, vehicle, system]);
  return (
    <section className={styles.sums}>
      <h2>{t('since', { name: vehicle.name, time: formatMoment(range.fromMs, range.toMs - 1) })}</h2>
      <dl ref={list}>
        {(['distance', 'state.moving', 'state.idling', 'state.stopped'] as const).map(key => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd />
          </div>
        ))}
      </dl>
    </section>
  );
}
