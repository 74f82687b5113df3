import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock, formatDay, formatTime, hourOfDay } from '../format/time.ts';
import styles from './TimeTravelBar.module.css';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Keys may be held down. The server is asked after this pause. */
const REST_MS = 300;

interface Props {
  readonly atMs: number;
  /** The day in the user's time zone. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The latest moment that can be chosen: now. */
  readonly lastMs: number;
  readonly alertsMs: readonly number[];
  readonly onTime: (atMs: number) => void;
}

/** A slider over the day with an hour ruler. Red ticks mark where alerts began. */
export function TimeSlider({ atMs, fromMs, toMs, lastMs, alertsMs, onTime }: Props) {
  const { t } = useTranslation('timeTravel');
  // The thumb's position until the page shows that moment.
  const [draftMs, setDraftMs] = useState<number | null>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has followed.
  useEffect(() => setDraftMs(null), [atMs]);
  useEffect(() => () => clearTimeout(rest.current), []);
  const thumbMs = draftMs ?? atMs;
  const share = (ms: number): number => Math.max(0, Math.min(1, (ms - fromMs) / (toMs - fromMs)));
  const within = (ms: number): number => Math.max(fromMs, Math.min(ms, toMs - SECOND, lastMs));

  const draft = (ms: number): void => {
    const next = within(Math.round(ms / SECOND) * SECOND);
    setDraftMs(next);
    clearTimeout(rest.current);
    rest.current = setTimeout(() => onTime(next), REST_MS);
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    draft(fromMs + ((event.clientX - left) / width) * (toMs - fromMs));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = {
      ArrowLeft: -10 * SECOND,
      ArrowDown: -10 * SECOND,
      ArrowRight: 10 * SECOND,
      ArrowUp: 10 * SECOND,
      PageDown: -HOUR,
      PageUp: HOUR,
    }[event.key];
    if (event.key === 'Home') draft(fromMs);
    else if (event.key === 'End') draft(toMs);
    else if (step !== undefined) draft(thumbMs + (event.shiftKey && Math.abs(step) < HOUR ? step * 6 : step));
    else return;
    event.preventDefault();
  };
  return (
    <div
      className={styles.slider}
      onPointerDown={event => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        onPointer(event);
      }}
      onPointerMove={event => event.currentTarget.hasPointerCapture(event.pointerId) && onPointer(event)}
    >
      <div className={styles.track} aria-hidden="true">
        <i style={{ width: `${share(thumbMs) * 100}%` }} />
      </div>
      <div className={styles.ruler} aria-hidden="true" />
      {[3, 6, 9, 12, 15, 18, 21].map(hour => (
        <b key={hour} style={{ insetInlineStart: `${share(hourOfDay(fromMs, hour)) * 100}%` }} aria-hidden="true">
          {formatTime(hourOfDay(fromMs, hour)).slice(0, 2)}
        </b>
      ))}
      {alertsMs.map((ms, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two alerts may begin at the same moment.
        <span key={`${ms}-${nth}`} className={styles.alert} style={{ insetInlineStart: `${share(ms) * 100}%` }} />
      ))}
      <span
        className={styles.thumb}
        role="slider"
        tabIndex={0}
        style={{ insetInlineStart: `${share(thumbMs) * 100}%` }}
        aria-label={t('slider')}
        aria-valuemin={0}
        aria-valuemax={Math.round((toMs - fromMs) / SECOND)}
        aria-valuenow={Math.round((thumbMs - fromMs) / SECOND)}
        aria-valuetext={`${formatDay(thumbMs)} ${formatClock(thumbMs)}`}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
