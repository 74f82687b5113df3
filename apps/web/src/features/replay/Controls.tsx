import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconRewindBackward60,
  IconRewindForward60,
} from '@tabler/icons-react';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock, formatDay, formatZone } from '../../format/time.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { StatusGlyph } from '../../ui/StatusGlyph.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { SPEEDS } from './address.ts';
import styles from './Controls.module.css';
import type { Player } from './player.ts';
import { setText } from './Readout.tsx';

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;
export const STEP_MS = 60_000;

interface Props {
  readonly player: Player;
  /** There is private time in a lane, so the key has it. */
  readonly hasPrivateTime: boolean;
  readonly onEvent: (direction: 1 | -1) => void;
}

/** Repeats from this moment to the end chosen before. */
export function loopFrom(player: Player): void {
  const { loop, toMs } = player.state;
  player.setLoop({ fromMs: player.atMs, toMs: loop && loop.toMs > player.atMs ? loop.toMs : toMs });
}

/** Repeats from the start chosen before to this moment. */
export function loopTo(player: Player): void {
  const { loop, fromMs } = player.state;
  player.setLoop({ fromMs: loop && loop.fromMs < player.atMs ? loop.fromMs : fromMs, toMs: player.atMs });
}

export const usePlayer = (player: Player) => useSyncExternalStore(player.subscribe, player.getState);

/** Play, steps, speed and the clock. */
export function Controls({ player, hasPrivateTime, onEvent }: Props) {
  const { t } = useTranslation('replay');
  const { isPlaying, loop, skipsStops, speed } = usePlayer(player);
  const ids = SPEEDS.map(String);
  return (
    <section className={styles.bar} aria-label={t('controls')}>
      <div className={styles.buttons}>
        <IconButton label={t('previousEvent')} tooltip="top" onClick={() => onEvent(-1)}>
          <IconPlayerSkipBack {...ICON} />
        </IconButton>
        <IconButton label={t('minuteBack')} tooltip="top" onClick={() => player.step(-STEP_MS)}>
          <IconRewindBackward60 {...ICON} />
        </IconButton>
        <IconButton
          className={styles.play}
          label={t(isPlaying ? 'pause' : 'play')}
          tooltip="top"
          onClick={() => player.toggle()}
        >
          {isPlaying ? <IconPlayerPauseFilled {...ICON} /> : <IconPlayerPlayFilled {...ICON} />}
        </IconButton>
        <IconButton label={t('minuteOn')} tooltip="top" onClick={() => player.step(STEP_MS)}>
          <IconRewindForward60 {...ICON} />
        </IconButton>
        <IconButton label={t('nextEvent')} tooltip="top" onClick={() => onEvent(1)}>
          <IconPlayerSkipForward {...ICON} />
        </IconButton>
      </div>
      <Clock player={player} />
      <Segments
        label={t('speed')}
        segments={ids.map(id => ({ id, label: `×${id}` }))}
        chosen={String(speed)}
        onChoose={id => player.setSpeed(SPEEDS[ids.indexOf(id)] ?? speed)}
      />
      <div className={styles.switches}>
        <Switch checked={skipsStops} onChange={({ currentTarget }) => player.skipStops(currentTarget.checked)}>
          {t('skipStops')}
        </Switch>
        <div className={styles.marks}>
          <IconButton bordered label={t('loopFrom')} tooltip="top" onClick={() => loopFrom(player)}>
            A
          </IconButton>
          <IconButton bordered label={t('loopTo')} tooltip="top" onClick={() => loopTo(player)}>
            B
          </IconButton>
        </div>
        {loop && (
          <Switch checked onChange={() => player.setLoop(null)}>
            {t('loop')}
          </Switch>
        )}
      </div>
      <ul className={styles.key} aria-label={t('key')}>
        <li>
          <StatusGlyph shape="moving" size={12} /> {t('drive')}
        </li>
        <li>
          <StatusGlyph shape="idling" size={12} /> {t('idle')}
        </li>
        <li>
          <StatusGlyph shape="stopped" size={12} /> {t('stop')}
        </li>
        <li>
          <i /> {t('noData')}
        </li>
        {hasPrivateTime && (
          <li>
            <i data-kind="private" /> {t('state.private')}
          </li>
        )}
      </ul>
    </section>
  );
}

/** Updated with every frame, without React. */
function Clock({ player }: { readonly player: Player }) {
  const { t } = useTranslation('replay');
  const clock = useRef<HTMLElement>(null);
  const day = useRef<HTMLElement>(null);
  useEffect(
    () =>
      player.onTime(atMs => {
        if (clock.current) setText(clock.current, formatClock(atMs));
        if (day.current) setText(day.current, `${formatDay(atMs)}, ${formatZone(atMs)}`);
      }),
    [player],
  );
  return (
    <p className={styles.clock} role="timer" aria-label={t('clock')}>
      <b ref={clock} /> <span ref={day} />
    </p>
  );
}
