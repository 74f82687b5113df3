import {
  IconBroadcast,
  IconCalendar,
  IconHistory,
  IconLink,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
} from '@tabler/icons-react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../base/announce.ts';
import { copyText } from '../base/copy-text.ts';
import { describeError } from '../base/describe-error.ts';
import { RetryButton } from '../base/RetryButton.tsx';
import { useShortcuts } from '../base/shortcuts/use-shortcuts.ts';
import { isoDateOf } from '../format/date.ts';
import { formatAge } from '../format/duration.ts';
import { dateFormat } from '../format/locale.ts';
import { endOfDay, formatClock, formatZone, midnightOf, startOfDay } from '../format/time.ts';
import type { Past } from '../live/past.ts';
import { live, type PositionsView } from '../live/view.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Segments } from '../ui/Segments.tsx';
import { useAt } from './at.ts';
import { pastView, usePastShown } from './past-view.ts';
import { TimeSlider } from './TimeSlider.tsx';
import styles from './TimeTravelBar.module.css';
import { useAlertTimes, useFleetAt } from './use-fleet-at.ts';
import { PLAY_SPEEDS, type PlaySpeed, usePlay } from './use-play.ts';

const MINUTE_MS = 60_000;
/** The newest moment that can be looked at. */
const nowMs = (): number => Math.floor(live.clock.now() / 1000) * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The bar above a page that shows the past: the moment shown and controls to change it. */
export function Component({ onPast, onEscape }: TimeTravelProps) {
  const [atMs, show] = useAt();
  return atMs === null ? null : (
    <Bar atMs={atMs} onTime={show} onLive={() => show(null)} onPast={onPast} onEscape={onEscape} />
  );
}

export interface ShownPast {
  readonly past: Past;
  readonly view: PositionsView;
}

interface TimeTravelProps {
  /** Called with the past that the page shows from now on; undefined when it is live again. */
  readonly onPast: (past: ShownPast | undefined) => void;
  /**
   * Closes what is open, if anything, instead of leaving the past when the user presses Esc. Returns false if nothing
   * was open.
   */
  readonly onEscape: () => boolean;
}

interface Props extends TimeTravelProps {
  readonly atMs: number;
  readonly onTime: (atMs: number) => void;
  readonly onLive: () => void;
}

function Bar({ atMs, onTime, onLive, onPast, onEscape }: Props) {
  const { t } = useTranslation('timeTravel');
  const { shownMs, error, isReading, refetch } = useFleetAt(atMs);
  const past = usePastShown(atMs);
  // Layout effects, so that page and bar change together.
  useLayoutEffect(() => onPast({ past, view: pastView }), [onPast, past]);
  useLayoutEffect(() => () => onPast(undefined), [onPast]);
  const lastMs = nowMs();
  const [fromMs, toMs] = [startOfDay(atMs), endOfDay(atMs)];
  const alertsMs = useAlertTimes(fromMs, toMs);
  const day = useRef<HTMLInputElement>(null);
  const dayId = useId();
  // The bar names the moment that the page shows now, not the one that is loading.
  const saidMs = shownMs ?? atMs;
  const date = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }).format(saidMs);
  const title = t('viewing', { date, time: formatClock(saidMs), zone: formatZone(saidMs) });
  const wait = shownMs === null || isReading;

  const go = (ms: number): void => onTime(Math.min(Math.floor(ms / 1000) * 1000, lastMs));
  const before = alertsMs.findLast(ms => Math.floor(ms / 1000) * 1000 < atMs);
  const after = alertsMs.find(ms => Math.floor(ms / 1000) * 1000 > atMs);
  const pick = (text: string): void => {
    const midnight = text === '' ? Number.NaN : midnightOf(text);
    // Keep the time of day when the user chooses another day.
    if (!Number.isNaN(midnight)) go(midnight + (atMs - fromMs));
  };
  const copy = (): void => void copyText(window.location.href, t('copied'), t('notCopied'));
  const { isPlaying, speed, setSpeed, toggle } = usePlay({
    atMs,
    isReading: wait || shownMs !== atMs,
    hasFailed: error !== null,
    now: nowMs,
    onTime: go,
  });
  // While it plays, a reader of the screen would hear nothing else.
  useEffect(() => {
    if (!isPlaying) announce(title);
  }, [title, isPlaying]);
  useShortcuts([
    { keys: ['Escape'], label: t('backToLive'), group: t('group'), run: () => onEscape() || onLive() },
    {
      keys: [' '],
      label: t('playPause'),
      group: t('group'),
      run: () => {
        // A focused button takes the key.
        const { activeElement } = document;
        if (activeElement instanceof HTMLElement && activeElement.matches('button, a')) activeElement.click();
        else toggle();
      },
    },
    { keys: ['['], label: t('dayBack'), group: t('group'), run: () => go(atMs - DAY_MS) },
    { keys: [']'], label: t('dayForward'), group: t('group'), run: () => go(atMs + DAY_MS) },
    { keys: [','], label: t('minuteBack'), group: t('group'), run: () => go(atMs - MINUTE_MS) },
    { keys: ['.'], label: t('minuteForward'), group: t('group'), run: () => go(atMs + MINUTE_MS) },
  ]);
  return (
    <section className={styles.bar} aria-label={t('section')} aria-busy={wait && !isPlaying}>
      <IconHistory className={styles.sign} size={22} stroke={1.75} aria-hidden />
      <div className={styles.what}>
        <b>{title}</b>
        {error ? (
          <span role="alert">
            {describeError(error).message} <RetryButton error={error} variant="text" onRetry={() => void refetch()} />
          </span>
        ) : (
          <span>{wait && !isPlaying ? t('reading') : t('ago', { age: formatAge(lastMs - saidMs) })}</span>
        )}
      </div>
      <div className={styles.steps}>
        <label className={styles.day} htmlFor={dayId} data-tooltip={t('day')} data-tooltip-side="bottom">
          <IconCalendar {...ICON} />
          <input
            ref={day}
            id={dayId}
            type="date"
            aria-label={t('day')}
            value={isoDateOf(atMs)}
            max={isoDateOf(lastMs)}
            onChange={event => pick(event.target.value)}
            onClick={() => day.current?.showPicker?.()}
          />
        </label>
        <IconButton
          label={t('previousAlert')}
          disabled={before === undefined}
          onClick={() => before !== undefined && go(before)}
        >
          <IconPlayerTrackPrev {...ICON} />
        </IconButton>
        <IconButton label={t('minuteBack')} onClick={() => go(atMs - MINUTE_MS)}>
          <IconPlayerSkipBack {...ICON} />
        </IconButton>
        <button
          type="button"
          className={styles.play}
          aria-label={t(isPlaying ? 'pause' : 'play')}
          data-tooltip={t(isPlaying ? 'pause' : 'play')}
          data-tooltip-side="bottom"
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled {...ICON} /> : <IconPlayerPlayFilled {...ICON} />}
        </button>
        <IconButton label={t('minuteForward')} onClick={() => go(atMs + MINUTE_MS)}>
          <IconPlayerSkipForward {...ICON} />
        </IconButton>
        <IconButton
          label={t('nextAlert')}
          disabled={after === undefined}
          onClick={() => after !== undefined && go(after + 999)}
        >
          <IconPlayerTrackNext {...ICON} />
        </IconButton>
        <IconButton label={t('copy')} onClick={copy}>
          <IconLink {...ICON} />
        </IconButton>
      </div>
      <div className={styles.speeds}>
        <Segments
          segments={PLAY_SPEEDS.map(value => ({ id: `${value}` as `${PlaySpeed}`, label: `×${value}` }))}
          chosen={`${speed}`}
          onChoose={id => setSpeed(Number(id) as PlaySpeed)}
          label={t('speed')}
        />
      </div>
      <TimeSlider atMs={atMs} fromMs={fromMs} toMs={toMs} lastMs={lastMs} alertsMs={alertsMs} onTime={go} />
      <button type="button" className={styles.back} onClick={onLive}>
        <IconBroadcast size={16} stroke={1.75} aria-hidden />
        {t('backToLive')}
      </button>
    </section>
  );
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
