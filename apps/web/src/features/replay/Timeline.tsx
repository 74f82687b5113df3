import { IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatTotal } from '../../format/duration.ts';
import { formatClock, formatDay, formatTime, startOfDay } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useSize } from '../../ui/use-size.ts';
import type { Range } from './address.ts';
import { Chart } from './Chart.tsx';
import { STEP_MS, usePlayer } from './Controls.tsx';
import { gapReason } from './gaps.ts';
import { HappeningIcon } from './HappeningIcon.tsx';
import type { FenceName, Happening } from './happenings.ts';
import { engineTimes, momentAt, type Past, sumsUntil } from './past.ts';
import type { Player } from './player.ts';
import { setText, speedWords } from './Readout.tsx';
import type { ReplayedVehicle } from './replay-tracks.ts';
import { ticksOf } from './ruler.ts';
import styles from './Timeline.module.css';

/** Minimum distance between two labels of the time scale. */
const LABEL_PX = 84;
/** The shortest time that the timeline can show. */
const CLOSEST_MS = 10 * 60_000;
const ZOOM = 3;
/** How often a screen reader announces the time while the replay runs. */
const SPOKEN_EVERY_MS = 1000;

interface Props {
  readonly player: Player;
  readonly vehicles: readonly ReplayedVehicle[];
  readonly happenings: readonly Happening[];
  readonly fences: ReadonlyMap<string, FenceName>;
  readonly focus: string | null;
  readonly onFocus: (vehicleId: string) => void;
  /** The field that the chart shows. */
  readonly chart: string;
  readonly onChart: (field: string) => void;
  /** Called before the list of fields opens. */
  readonly onOfferFields: () => void;
}

/** The timeline: time scale, one lane per vehicle, the focused vehicle's engine, and the chart, under one playhead. */
export function Timeline({
  player,
  vehicles,
  happenings,
  fences,
  focus,
  onFocus,
  chart,
  onChart,
  onOfferFields,
}: Props) {
  const { t } = useTranslation('replay');
  const { fromMs, toMs, loop } = usePlayer(player);
  const [zoomed, setZoomed] = useState<Range | null>(null);
  const view = useMemo(() => zoomed ?? { fromMs, toMs }, [zoomed, fromMs, toMs]);
  const [plot, { width }] = useSize();
  const lanes = useRef<HTMLDivElement>(null);
  const focused = vehicles.find(({ past }) => past.vehicleId === focus);

  // Shows the next part when the clock leaves this one.
  useEffect(() => {
    if (!zoomed) return;
    return player.onTime(atMs => {
      if (atMs < zoomed.fromMs || atMs > zoomed.toMs)
        setZoomed(around(atMs, zoomed.toMs - zoomed.fromMs, { fromMs, toMs }));
    });
  }, [player, zoomed, fromMs, toMs]);

  const zoom = (factor: number): void => {
    const length = Math.max(CLOSEST_MS, (view.toMs - view.fromMs) * factor);
    setZoomed(length >= toMs - fromMs ? null : around(player.atMs, length, { fromMs, toMs }));
  };

  const seekTo = (event: PointerEvent<HTMLElement>): void => {
    const { left, width: whole } = event.currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - left) / whole));
    player.seek(view.fromMs + share * (view.toMs - view.fromMs));
  };
  const ticks = useMemo(() => ticksOf(view, Math.max(2, Math.floor(width / LABEL_PX))), [view, width]);
  const share = (ms: number): number => (ms - view.fromMs) / (view.toMs - view.fromMs);

  return (
    <section className={styles.timeline} aria-label={t('timeline')}>
      <div className={styles.corner}>
        <IconButton label={t('zoomOutTime')} tooltip="top" disabled={zoomed === null} onClick={() => zoom(ZOOM)}>
          <IconZoomOut size={16} stroke={1.75} aria-hidden />
        </IconButton>
        <IconButton label={t('zoomInTime')} tooltip="top" onClick={() => zoom(1 / ZOOM)}>
          <IconZoomIn size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.ruler} aria-hidden="true">
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          <path d={ticks.tallMs.map(ms => `M${share(ms)} 0V1`).join('')} />
          <path d={ticks.shortMs.map(ms => `M${share(ms)} .45V1`).join('')} />
        </svg>
        {ticks.labelsMs.map(ms => (
          <span key={ms} style={{ left: `${share(ms) * 100}%` }} data-edge={share(ms) > 0.97 ? 'end' : undefined}>
            {ms === startOfDay(ms) && toMs - fromMs > 86_400_000 * 1.1 ? formatDay(ms) : formatTime(ms)}
          </span>
        ))}
      </div>
      <div ref={lanes} className={styles.lanes}>
        {vehicles.map(vehicle => {
          const { vehicleId } = vehicle.past;
          return (
            <div key={vehicleId} className={styles.row} data-focus={vehicleId === focus || undefined}>
              <button type="button" className={styles.name} onClick={() => onFocus(vehicleId)}>
                <i style={{ background: `var(${vehicle.color})` }} />
                <b>{vehicle.name}</b>
              </button>
              <Lane vehicle={vehicle} view={view} happenings={happenings} fences={fences} />
            </div>
          );
        })}
      </div>
      {focused && (
        <div className={styles.row} data-engine>
          <span className={styles.name}>{t('engine', { name: focused.name })}</span>
          <Engine past={focused.past} view={view} />
        </div>
      )}
      <Chart
        player={player}
        vehicles={vehicles}
        view={view}
        focus={focus}
        field={chart}
        onField={onChart}
        onOffer={onOfferFields}
      />
      {/* Keyboard and screen readers use the slider inside. */}
      <div
        ref={plot}
        className={styles.plot}
        onWheel={({ deltaY }) => lanes.current?.scrollBy({ top: deltaY })}
        onPointerDown={event => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          seekTo(event);
        }}
        onPointerMove={event => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
        }}
      >
        {loop && (
          <i
            className={styles.loop}
            style={{ left: `${share(loop.fromMs) * 100}%`, width: `${(share(loop.toMs) - share(loop.fromMs)) * 100}%` }}
          />
        )}
        <Playhead player={player} view={view} focused={focused} />
      </div>
    </section>
  );
}

/** This much time around a moment, within the range. */
function around(atMs: number, length: number, { fromMs, toMs }: Range): Range {
  const begin = Math.max(fromMs, Math.min(toMs - length, atMs - length * 0.1));
  return { fromMs: begin, toMs: begin + length };
}

interface PlayheadProps {
  readonly player: Player;
  readonly view: Range;
  readonly focused: ReplayedVehicle | undefined;
}

/** The line at the current time. Moved with every frame, without React. */
function Playhead({ player, view, focused }: PlayheadProps) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const { fromMs, toMs } = usePlayer(player);
  const line = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let spokenMs = Number.NEGATIVE_INFINITY;
    return player.onTime(atMs => {
      if (!line.current || !handle.current) return;
      const share = (atMs - view.fromMs) / (view.toMs - view.fromMs);
      line.current.style.transform = `translateX(${share * 100}%)`;
      handle.current.style.setProperty('--share', String(share));
      setText(handle.current, formatClock(atMs));
      const nowMs = performance.now();
      if (player.state.isPlaying && nowMs - spokenMs < SPOKEN_EVERY_MS) return;
      spokenMs = nowMs;
      handle.current.setAttribute('aria-valuenow', String(Math.round(atMs / 1000)));
      const moment = focused && momentAt(focused.past, atMs);
      handle.current.setAttribute(
        'aria-valuetext',
        moment
          ? t('spoken', { time: formatClock(atMs), name: focused.name, speed: speedWords(moment.speed, system) })
          : formatClock(atMs),
      );
    });
  }, [player, view, focused, system, t]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const hour = 60 * STEP_MS;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: event.shiftKey ? -STEP_MS : -10_000,
      ArrowDown: -STEP_MS,
      ArrowRight: event.shiftKey ? STEP_MS : 10_000,
      ArrowUp: STEP_MS,
      PageDown: -hour,
      PageUp: hour,
      Home: fromMs - toMs,
      End: toMs - fromMs,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    player.step(step);
  };
  return (
    <div ref={line} className={styles.playhead}>
      <div
        ref={handle}
        className={styles.handle}
        role="slider"
        tabIndex={0}
        aria-label={t('playhead')}
        aria-valuemin={Math.round(fromMs / 1000)}
        aria-valuemax={Math.round(toMs / 1000)}
        aria-valuenow={Math.round(fromMs / 1000)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface LaneProps {
  readonly vehicle: ReplayedVehicle;
  readonly view: Range;
  readonly happenings: readonly Happening[];
  readonly fences: ReadonlyMap<string, FenceName>;
}

/** The height, not only the color, shows the status: driving is tall, idling half, a stop low. */
const HEIGHTS = {
  moving: [0, 1],
  idling: [0.37, 0.63],
  stopped: [0.69, 0.31],
  gap: [0.05, 0.9],
  private: [0.05, 0.9],
} as const;

const Lane = memo(function Lane({ vehicle: { name, past }, view, happenings, fences }: LaneProps) {
  const { t } = useTranslation('replay');
  const { segments, vehicleId } = past;
  const { ms } = sumsUntil(segments, Number.POSITIVE_INFINITY);
  const share = (ms: number): number => Math.max(0, Math.min(1, (ms - view.fromMs) / (view.toMs - view.fromMs)));
  const alerts = happenings.filter(
    ({ vehicleId: id, what, fromMs }) =>
      id === vehicleId && what.kind === 'alert' && fromMs >= view.fromMs && fromMs <= view.toMs,
  );
  const visits = happenings.flatMap(({ id, vehicleId: of, what, fromMs, toMs }) =>
    of === vehicleId && what.kind === 'visit' && toMs >= view.fromMs && fromMs <= view.toMs
      ? [{ id, fromMs, toMs, fence: fences.get(what.visit.geofenceId) }]
      : [],
  );
  return (
    <div className={styles.lane}>
      <svg
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('lane', {
          name,
          driving: formatTotal(ms.moving),
          idle: formatTotal(ms.idling),
          stopped: formatTotal(ms.stopped),
        })}
      >
        {segments
          .filter(({ fromMs, toMs }) => toMs > view.fromMs && fromMs < view.toMs)
          .map(({ kind, fromMs, toMs }) => (
            <rect
              key={fromMs}
              data-kind={kind}
              x={share(fromMs)}
              width={share(toMs) - share(fromMs)}
              y={HEIGHTS[kind][0]}
              height={HEIGHTS[kind][1]}
            >
              {(kind === 'gap' || kind === 'private') && (
                <title>{t(`gapReason.${kind === 'gap' ? gapReason(past, fromMs, toMs) : kind}`)}</title>
              )}
            </rect>
          ))}
        {visits.map(({ id, fromMs, toMs, fence }) => (
          <rect
            key={id}
            data-kind="visit"
            x={share(fromMs)}
            width={Math.max(0.002, share(toMs) - share(fromMs))}
            y="1.04"
            height="0.17"
            style={{ fill: `var(${fence?.token ?? '--ink-3'})` }}
          >
            <title>{fence ? t('visitTo', { name: fence.name }) : t('visit')}</title>
          </rect>
        ))}
      </svg>
      {alerts.map(alert => (
        <i key={alert.id} className={styles.flag} style={{ left: `${share(alert.fromMs) * 100}%` }} aria-hidden="true">
          <HappeningIcon what={alert.what} size={13} />
        </i>
      ))}
    </div>
  );
});

const Engine = memo(function Engine({ past, view }: { readonly past: Past; readonly view: Range }) {
  const { t } = useTranslation('replay');
  const times = useMemo(() => engineTimes(past.track), [past]);
  const share = (ms: number): number => Math.max(0, Math.min(1, (ms - view.fromMs) / (view.toMs - view.fromMs)));
  const onMs = times.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const isKnown = past.track.ignition.some(value => value !== -1);
  return (
    <div className={styles.lane} data-engine>
      <svg
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={t('engineOn', { length: formatTotal(onMs) })}
      >
        {times.map(({ fromMs, toMs }) => (
          <rect
            key={fromMs}
            data-kind="engine"
            x={share(fromMs)}
            width={share(toMs) - share(fromMs)}
            y="0"
            height="1"
          />
        ))}
      </svg>
      {!isKnown && past.track.timeMs.length > 0 && <span>{t('engineUnknown')}</span>}
    </div>
  );
});
