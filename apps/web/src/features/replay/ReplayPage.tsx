import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { announce } from '../../base/announce.ts';
import { describeError } from '../../base/describe-error.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useMedia } from '../../base/use-media.ts';
import { formatTime } from '../../format/time.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { paths } from '../../paths.ts';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { type Address, addressOf, type Range, readAddress } from './address.ts';
import { Controls, loopFrom, loopTo, STEP_MS } from './Controls.tsx';
import { colorToken } from './colors.ts';
import { DayPicker } from './DayPicker.tsx';
import { Downloads } from './Downloads.tsx';
import { dayOf, neighborOf } from './days.ts';
import { Happenings } from './Happenings.tsx';
import { type Happening, happeningsOf, nextFrom } from './happenings.ts';
import { type Past, quietTimes } from './past.ts';
import { Player } from './player.ts';
import { Readout } from './Readout.tsx';
import { ReplayMap } from './ReplayMap.tsx';
import styles from './ReplayPage.module.css';
import type { ReplayedVehicle } from './replay-overlay.ts';
import { Timeline } from './Timeline.tsx';
import { usePasts } from './use-pasts.ts';
import { VehiclePicker } from './VehiclePicker.tsx';

/** After the clock stands still, before the address says so. */
const WRITE_AFTER_MS = 400;
const STEP_SHORT_MS = 10_000;

/** `/replay`: the past of several vehicles on one clock. The address has all of it [R2.06]. */
export function Component() {
  const { t } = useTranslation(['replay', 'shell']);
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const address = readAddress(parameters);
  // Two changes can come before the page has rendered the first: the clock's own and a click. Neither undoes the other.
  const rendered = useRef(parameters);
  const latest = useRef(address);
  if (rendered.current !== parameters) [rendered.current, latest.current] = [parameters, address];
  const go = (change: Partial<Address>): void => {
    latest.current = { ...latest.current, ...change };
    void navigate(paths.replay(addressOf(latest.current)), { replace: true });
  };

  // The day is in the address from the beginning, so it means the same tomorrow.
  const { range } = address;
  const isDated = range !== null;
  useEffect(() => {
    if (isDated) return;
    const { speed, vehicles } = readAddress(parameters);
    void navigate(paths.replay(addressOf({ vehicles, speed, atMs: null, range: dayOf(Date.now()) })), {
      replace: true,
    });
  }, [isDated, navigate, parameters]);

  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      {range ? (
        <Replay key={`${range.fromMs}-${range.toMs}`} address={address} range={range} onChange={go} />
      ) : (
        <h1 className={styles.title}>{t('title')}</h1>
      )}
    </>
  );
}

interface Props {
  readonly address: Address;
  readonly range: Range;
  readonly onChange: (change: Partial<Address>) => void;
}

function Replay({ address, range: given, onChange }: Props) {
  const { t } = useTranslation('replay');
  // Another range is another replay.
  const [range] = useState(given);
  const [player] = useState(() => {
    const made = new Player(range, address.atMs ?? range.fromMs, address.speed);
    made.skipStops(true);
    return made;
  });
  useEffect(() => () => player.pause(), [player]);
  useAddress(player, address, onChange);

  const { data: list } = useQuery(vehicleListQuery);
  const known = useMemo(() => new Map(list?.map(({ id, deviceName }) => [id, deviceName])), [list]);
  const ids = list ? address.vehicles.filter(id => known.has(id)) : [];
  const { pasts, accounts, errors, isReading, retry } = usePasts(ids, range);
  const who = ids.join(',');
  const replayed = useRef(new WeakMap<Past, ReplayedVehicle>());
  const vehicles = useMemo(
    () =>
      who.split(',').flatMap((id, nth) => {
        const past = pasts.get(id);
        if (!past) return [];
        const [name, color] = [known.get(id) ?? '', colorToken(nth)];
        const before = replayed.current.get(past);
        // The same object again: what is drawn of it stays.
        const vehicle = before?.name === name && before.color === color ? before : { past, name, color };
        replayed.current.set(past, vehicle);
        return [vehicle];
      }),
    [who, pasts, known],
  );
  const happenings = useMemo(() => happeningsOf(accounts, range), [accounts, range]);
  const quiet = useMemo(() => quietTimes([...pasts.values()], range), [pasts, range]);
  useEffect(() => player.setQuiet(quiet), [player, quiet]);
  // A day begins when the first one drives, not at midnight in a yard.
  const isComplete = vehicles.length > 0 && !isReading;
  useEffect(() => {
    const [first] = quiet;
    if (!isComplete || player.atMs !== range.fromMs || player.state.isPlaying) return;
    if (first?.fromMs === range.fromMs && first.toMs < range.toMs) player.seek(first.toMs);
  }, [player, quiet, range, isComplete]);

  const [wanted, setFocus] = useState<string | null>(null);
  const focus = wanted !== null && ids.includes(wanted) ? wanted : (ids[0] ?? null);
  const [follows, setFollows] = useState(false);
  const [part, setPart] = useState<'map' | 'list'>('map');
  const isWide = useMedia('(min-width: 64em)');

  const open = useCallback(
    (happening: Happening): void => {
      setFocus(happening.vehicleId);
      player.seek(happening.fromMs);
    },
    [player],
  );
  const toEvent = (direction: 1 | -1): void => {
    const next = nextFrom(happenings, player.atMs, direction);
    if (next) open(next);
    announce(next ? formatTime(next.fromMs) : t('noMore'));
  };
  const change = (next: Range): void => onChange({ range: next, atMs: null });
  /** To the report before or after the moment, of the vehicle in focus. */
  const toFix = (direction: 1 | -1): void => {
    const times = focus === null ? undefined : pasts.get(focus)?.track.timeMs;
    const next = direction === 1 ? times?.find(ms => ms > player.atMs) : times?.findLast(ms => ms < player.atMs);
    if (next !== undefined) player.seek(next);
  };
  useReplayKeys({
    player,
    toEvent,
    toFix,
    onFollow: () => setFollows(!follows),
    onDay: direction => {
      if (direction === -1 || range.toMs <= Date.now()) change(neighborOf(range, direction));
    },
  });

  const isEmpty = isComplete && vehicles.every(({ past }) => past.track.timeMs.length === 0);
  const behind = accounts.filter(({ isBehind }) => isBehind).map(({ vehicleId }) => known.get(vehicleId) ?? '');
  return (
    <div className={styles.page} data-page="flow" data-part={part}>
      <header className={styles.head}>
        <h1>{t('title')}</h1>
        <DayPicker range={range} vehicles={ids} onChange={change} />
        <VehiclePicker
          chosen={ids}
          focus={focus}
          onChange={chosen => onChange({ vehicles: chosen, atMs: player.atMs })}
          onFocus={setFocus}
        />
        <div className={styles.out}>
          <Downloads vehicles={ids} range={range} />
          <IconButton
            bordered
            label={t('copyLink')}
            tooltip="bottom-end"
            onClick={() => void copyLink(paths.replay(addressOf({ ...address, atMs: player.atMs })), t)}
          >
            <IconLink size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
      </header>
      <div className={styles.notices}>
        {[...errors].slice(0, 1).map(([id, error]) => (
          <Notice key={id} tone="warning" role="alert">
            {t('failed', { name: known.get(id) ?? '', reason: describeError(error).message })}{' '}
            <RetryButton error={error} onRetry={retry} />
          </Notice>
        ))}
        {behind.length > 0 && <Notice tone="warning">{t('behind', { names: behind.join(', ') })}</Notice>}
      </div>
      {!isWide && (
        <div className={styles.switch}>
          <Segments
            label={t('parts')}
            segments={[
              { id: 'map', label: t('mapPart') },
              { id: 'list', label: t('events') },
            ]}
            chosen={part}
            onChoose={setPart}
          />
        </div>
      )}
      <div className={styles.map}>
        <ReplayMap
          player={player}
          vehicles={vehicles}
          what={`${who} ${range.fromMs}`}
          focus={focus}
          follows={follows}
          onFocus={setFocus}
          onFollow={setFollows}
        >
          <Readout player={player} vehicles={vehicles} focus={focus} onFocus={setFocus} />
          {list && ids.length === 0 && (
            <div className={styles.empty}>
              <EmptyRoad />
              <h2>{t('noVehicles')}</h2>
              <p>{t('noVehiclesText')}</p>
            </div>
          )}
          {isEmpty && (
            <div className={styles.empty} role="status">
              <EmptyRoad />
              <h2>{t('nothing')}</h2>
              <p>{t('nothingText')}</p>
            </div>
          )}
          {isReading && (
            <p className={styles.reading} role="status">
              {t('reading', { done: vehicles.length, count: ids.length })}
            </p>
          )}
        </ReplayMap>
      </div>
      <aside className={styles.side} aria-label={t('happenings')}>
        <Happenings
          player={player}
          range={range}
          vehicles={vehicles}
          happenings={happenings}
          focus={focus}
          onOpen={open}
        />
      </aside>
      <footer className={styles.player}>
        <Controls player={player} onEvent={toEvent} />
        <Timeline player={player} vehicles={vehicles} happenings={happenings} focus={focus} onFocus={setFocus} />
      </footer>
    </div>
  );
}

/** Time and speed go into the address when the clock stands still, and come from it when it is another's. */
function useAddress(player: Player, address: Address, onChange: Props['onChange']): void {
  const change = useRef(onChange);
  change.current = onChange;
  const written = useRef(address.atMs);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const write = (): void => {
      const { isPlaying, speed } = player.state;
      if (isFirst || isPlaying) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        written.current = Math.floor(player.atMs / 1000) * 1000;
        change.current({ atMs: written.current, speed });
      }, WRITE_AFTER_MS);
    };
    const ends = [player.onTime(write), player.subscribe(write)];
    isFirst = false;
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [player]);
  useEffect(() => {
    if (address.atMs === written.current || address.atMs === null) return;
    written.current = address.atMs;
    player.seek(address.atMs);
  }, [player, address.atMs]);
}

interface Keys {
  readonly player: Player;
  readonly toEvent: (direction: 1 | -1) => void;
  readonly toFix: (direction: 1 | -1) => void;
  readonly onFollow: () => void;
  readonly onDay: (direction: 1 | -1) => void;
}

function useReplayKeys({ player, toEvent, toFix, onFollow, onDay }: Keys): void {
  const { t } = useTranslation('replay');
  const group = t('title');
  const isPressed = (): boolean => document.activeElement?.matches('button, a, [role="slider"]') === true;
  useShortcuts([
    {
      keys: [' '],
      label: t('playPause'),
      group,
      run: () => {
        // The key also presses a button that has the focus.
        const { activeElement } = document;
        if (isPressed() && activeElement instanceof HTMLElement && activeElement.matches('button, a'))
          activeElement.click();
        else player.toggle();
      },
    },
    { keys: ['ArrowLeft'], label: t('secondsBack'), group, run: () => player.step(-STEP_SHORT_MS) },
    { keys: ['ArrowRight'], label: t('secondsOn'), group, run: () => player.step(STEP_SHORT_MS) },
    { keys: ['ArrowUp'], label: t('faster'), group, run: () => player.changeSpeed(1) },
    { keys: ['ArrowDown'], label: t('slower'), group, run: () => player.changeSpeed(-1) },
    { keys: [','], label: t('previousFix'), group, run: () => toFix(-1) },
    { keys: ['.'], label: t('nextFix'), group, run: () => toFix(1) },
    { keys: ['p'], label: t('previousEvent'), group, run: () => toEvent(-1) },
    { keys: ['n'], label: t('nextEvent'), group, run: () => toEvent(1) },
    { keys: ['f'], label: t('follow'), group, run: onFollow },
    { keys: ['s'], label: t('skipStops'), group, run: () => player.skipStops(!player.state.skipsStops) },
    { keys: ['a'], label: t('loopFrom'), group, run: () => loopFrom(player) },
    { keys: ['b'], label: t('loopTo'), group, run: () => loopTo(player) },
    { keys: ['['], label: t('previousDay'), group, run: () => onDay(-1) },
    { keys: [']'], label: t('nextDay'), group, run: () => onDay(1) },
  ]);
  // With Shift the arrows are the same keys to the registry: a minute instead of seconds.
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const isArrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
      const isOwn =
        event.target instanceof HTMLElement &&
        event.target.matches('input, select, textarea, [role="tab"], [role="slider"]');
      if (!event.shiftKey || !isArrow || event.defaultPrevented || isOwn) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      player.step(event.key === 'ArrowLeft' ? -STEP_MS : STEP_MS);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [player]);
}

async function copyLink(path: string, t: ReturnType<typeof useTranslation<'replay'>>['t']): Promise<void> {
  const link = new URL(path, location.origin).href;
  try {
    await navigator.clipboard.writeText(link);
    toast(t('linkCopied'));
  } catch {
    // Without the permission, or on a plain http address, the link itself is the best that can be given.
    toast(link, 'info');
  }
}
