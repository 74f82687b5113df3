import { metresPerSecond } from '@milepost/units';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/locale.ts';
import { joined, type MeasureSystem, speedFigure } from '../../format/measure.ts';
import { formatTime } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { shownIn, unitOf } from './chart.ts';
import { indexAt, momentAt } from './past.ts';
import type { Player } from './player.ts';
import styles from './Readout.module.css';
import type { ReplayedVehicle } from './replay-tracks.ts';

/** Figures that change more often are unreadable. */
const EVERY_MS = 150;

interface Props {
  readonly player: Player;
  readonly vehicles: readonly ReplayedVehicle[];
  readonly focus: string | null;
  /** Field shown beside the speed: the one that colors the tracks. */
  readonly field: 'temperature' | 'fuel' | null;
  /** Names by card, if the color shows drivers. */
  readonly drivers: ReadonlyMap<string, string> | null;
  readonly onFocus: (vehicleId: string) => void;
}

/** What each vehicle was doing at the current time. Written without React, only as often as people can read it. */
export function Readout({ player, vehicles, focus, field, drivers, onFocus }: Props) {
  const { t } = useTranslation('replay');
  const system = useMeasureSystem();
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const words = (vehicle: ReplayedVehicle, atMs: number): [speed: string, state: string, kind: string] => {
      const moment = momentAt(vehicle.past, atMs);
      if (!moment) return ['–', t('state.before'), 'gap'];
      const { heardMs, kind } = moment;
      const state = kind === 'gap' ? t('state.gap', { time: formatTime(heardMs) }) : t(`state.${kind}`);
      const more = field
        ? measuredWords(vehicle, field, heardMs, system)
        : drivers
          ? driverWords(vehicle, drivers, heardMs)
          : '';
      return [speedWords(moment.speed, system), more === '' ? state : `${state}, ${more}`, kind];
    };
    let writtenMs = Number.NEGATIVE_INFINITY;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      timer = undefined;
      writtenMs = performance.now();
      for (const [i, row] of [...(list.current?.children ?? [])].entries()) {
        const vehicle = vehicles[i];
        const [speed, state] = row.querySelectorAll<HTMLElement>('[data-written]');
        if (!vehicle || !speed || !state) continue;
        const [speedText, stateText, kind] = words(vehicle, player.atMs);
        setText(speed, speedText);
        setText(state, stateText);
        state.dataset.kind = kind;
      }
    };
    const end = player.onTime(() => {
      if (timer !== undefined) return;
      const waitMs = writtenMs + EVERY_MS - performance.now();
      if (waitMs <= 0) write();
      else timer = setTimeout(write, waitMs);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [player, vehicles, field, drivers, system, t]);

  if (vehicles.length === 0) return null;
  return (
    <ul ref={list} className={styles.list} aria-label={t('readout')}>
      {vehicles.map(({ past: { vehicleId }, name, color }) => (
        <li key={vehicleId}>
          <button
            type="button"
            aria-pressed={vehicleId === focus}
            aria-label={t('choose', { name })}
            onClick={() => onFocus(vehicleId)}
          >
            <i style={{ background: `var(${color})` }} />
            <b>{name}</b>
          </button>
          <b data-written />
          <span data-written />
        </li>
      ))}
    </ul>
  );
}

function measuredWords({ measures }: ReplayedVehicle, field: string, heardMs: number, system: MeasureSystem): string {
  const value = measures?.fields.get(field)?.[indexAt(measures.timeMs, heardMs)];
  if (value === undefined || Number.isNaN(value)) return '';
  return `${formatCount(Math.round(shownIn(field, value, system)))} ${unitOf(field, system)}`;
}

function driverWords({ measures }: ReplayedVehicle, drivers: ReadonlyMap<string, string>, heardMs: number): string {
  const card = measures?.cards[measures.card[indexAt(measures.timeMs, heardMs)] ?? -1];
  return card === undefined ? '' : (drivers.get(card) ?? card);
}

export const speedWords = (speed: number | null, system: MeasureSystem): string =>
  speed === null ? '–' : joined(speedFigure(metresPerSecond(speed), system));

/** Sets the text only if it differs, because each change causes a new layout. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
