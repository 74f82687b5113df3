import { may } from '@milepost/contract';
import { IconHistory, IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { announce } from '../../base/announce.ts';
import { copyText } from '../../base/copy-text.ts';
import { describeError } from '../../base/describe-error.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { useSession } from '../../base/session/session.ts';
import { useMedia } from '../../base/use-media.ts';
import { formatTime } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { FENCE_TOKENS } from '../../geofences/fence-overlay.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { paths } from '../../paths.ts';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { type Address, pathOf, type Range, SPEED_CHART } from './address.ts';
import { type Area, useInside } from './area.ts';
import { ColorLegend } from './ColorLegend.tsx';
import { Controls } from './Controls.tsx';
import { coloringOf, MEASURED_COLORINGS } from './coloring.ts';
import { DayPicker } from './DayPicker.tsx';
import { Downloads } from './Downloads.tsx';
import { EvidencePack } from './EvidencePack.tsx';
import { Happenings } from './Happenings.tsx';
import { type Account, type FenceName, type Happening, happeningsOf, nextFrom } from './happenings.ts';
import { quietTimes } from './past.ts';
import { Player } from './player.ts';
import { Readout } from './Readout.tsx';
import { ReplayMap } from './ReplayMap.tsx';
import styles from './ReplayPage.module.css';
import { Timeline } from './Timeline.tsx';
import { useAddress } from './use-address.ts';
import { usePasts } from './use-pasts.ts';
import { useReplayKeys } from './use-replay-keys.ts';
import { useReplayed } from './use-replayed.ts';
import { FirstChoice, VehiclePicker } from './VehiclePicker.tsx';

interface Props {
  readonly address: Address;
  readonly range: Range;
  readonly onChange: (change: Partial<Address>) => void;
  readonly onStep: (direction: 1 | -1) => void;
}

/** Several vehicles over one range of time. */
export function Replay({ address, range: given, onChange: onAddress, onStep }: Props) {
  const { t } = useTranslation('replay');
  const navigate = useNavigate();
  // A changed range creates a new replay.
  const [range] = useState(given);
  const [player] = useState(() => {
    const made = new Player(range, address.atMs ?? range.fromMs, address.speed);
    made.skipStops(true);
    return made;
  });
  useEffect(() => () => player.pause(), [player]);
  const onChange = useAddress(player, address, onAddress);

  const { data: list } = useQuery(vehicleListQuery);
  const known = useMemo(() => new Map(list?.map(({ id, deviceName }) => [id, deviceName])), [list]);
  const ids = list ? address.vehicles.filter(id => known.has(id)) : [];
  const { color, chart, ghosts } = address;
  const [offersFields, setOffersFields] = useState(false);
  const withMeasures = MEASURED_COLORINGS.has(color) || chart !== SPEED_CHART || offersFields;
  const { pasts, measures, accounts, errors, isReading, retry } = usePasts(ids, range, withMeasures);
  const vehicles = useReplayed(ids, known, pasts, measures);
  const system = useMeasureSystem().distance === 'mi' ? 'us' : 'metric';
  const coloring = useMemo(() => coloringOf(color, vehicles, system), [color, vehicles, system]);
  const drivers = useMemo(() => driversOf(accounts), [accounts]);
  const fences = useFenceNames();
  const happenings = useMemo(() => happeningsOf(accounts, range), [accounts, range]);
  const quiet = useMemo(() => quietTimes([...pasts.values()], range), [pasts, range]);
  useEffect(() => player.setQuiet(quiet), [player, quiet]);
  // A day starts when the first vehicle drives, not at midnight in the yard.
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
  const inside = useInside(range, found => onChange({ vehicles: found, atMs: null }));
  const [drawing, setDrawing] = useState<'rectangle' | 'circle' | null>(null);
  const viewArea = useRef<(() => Area) | null>(null);
  const change = (next: Range): void => onChange({ range: next, atMs: null });
  const choose = (chosen: readonly string[]): void => onChange({ vehicles: chosen, atMs: player.atMs });
  const [draft, setDraft] = useState<readonly string[]>([]);
  const isChoosing = list !== undefined && ids.length === 0;
  /** Jumps to the focused vehicle's previous or next report. */
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
    onGhosts: () => onChange({ ghosts: !ghosts, atMs: player.atMs }),
    onDay: onStep,
  });

  const isEmpty = isComplete && vehicles.every(({ past }) => past.track.timeMs.length === 0);
  const behind = accounts.filter(({ isBehind }) => isBehind).map(({ vehicleId }) => known.get(vehicleId) ?? '');
  return (
    <div className={styles.page} data-page="flow" data-part={part} data-choosing={isChoosing || undefined}>
      <header className={styles.head}>
        <h1>{t('title')}</h1>
        <DayPicker range={range} vehicles={ids} onChange={change} onStep={onStep} />
        <VehiclePicker
          chosen={ids}
          focus={focus}
          onChange={choose}
          onFocus={setFocus}
          area={{
            isSearching: inside.isSearching,
            drawing,
            onDraw: setDrawing,
            onView: () => {
              const area = viewArea.current?.();
              if (area) inside.search(area);
            },
            onGeofence: geofenceId => inside.search({ geofenceId }),
          }}
        />
        <div className={styles.out}>
          <Downloads vehicles={ids} range={range} />
          <EvidencePack
            player={player}
            range={range}
            vehicles={ids}
            names={ids.map(id => known.get(id) ?? '')}
            startsOpen={address.pack}
          />
          <IconButton
            label={t('fleetThen')}
            tooltip="bottom-end"
            onClick={() => void navigate(paths.dashboardAt(player.atMs))}
          >
            <IconHistory size={18} stroke={1.75} aria-hidden />
          </IconButton>
          <IconButton
            bordered
            label={t('copyLink')}
            tooltip="bottom-end"
            onClick={() => {
              const link = new URL(pathOf({ ...address, atMs: player.atMs }), location.origin).href;
              void copyText(link, t('linkCopied'));
            }}
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
      {!isWide && !isChoosing && (
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
          what={`${ids.join(',')} ${range.fromMs}`}
          focus={focus}
          follows={follows}
          onFocus={setFocus}
          onFollow={setFollows}
          coloring={coloring}
          ghosts={ghosts}
          choice={isChoosing ? { vehicles: list, chosen: draft, onChoose: setDraft } : null}
          drawing={drawing}
          onDrawn={area => {
            setDrawing(null);
            if (area) inside.search(area);
          }}
          viewArea={viewArea}
        >
          <Readout
            player={player}
            vehicles={vehicles}
            focus={focus}
            field={color === 'temperature' || color === 'fuel' ? color : null}
            drivers={color === 'driver' ? drivers : null}
            onFocus={setFocus}
          />
          {vehicles.length > 0 && (
            <ColorLegend
              color={color}
              coloring={coloring}
              drivers={drivers}
              hasLate={vehicles.some(({ past }) => past.track.late.includes(1))}
              hasDoubted={vehicles.some(({ past }) => past.track.doubtedMs.length > 0)}
              isReading={withMeasures && measures.size < pasts.size}
              ghosts={ghosts}
              onChange={next => onChange({ color: next, atMs: player.atMs })}
              onGhosts={next => onChange({ ghosts: next, atMs: player.atMs })}
            />
          )}
          {isChoosing && (
            <FirstChoice
              chosen={draft}
              onChange={setDraft}
              onReplay={() => {
                choose(draft);
                setDraft([]);
              }}
            />
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
      {!isChoosing && (
        <>
          <aside className={styles.side} aria-label={t('happenings')}>
            <Happenings
              player={player}
              range={range}
              vehicles={vehicles}
              happenings={happenings}
              fences={fences}
              focus={focus}
              onOpen={open}
            />
          </aside>
          <footer className={styles.player}>
            <Controls
              player={player}
              hasPrivateTime={vehicles.some(({ past }) => past.segments.some(({ kind }) => kind === 'private'))}
              onEvent={toEvent}
            />
            <Timeline
              player={player}
              vehicles={vehicles}
              happenings={happenings}
              fences={fences}
              focus={focus}
              onFocus={setFocus}
              chart={chart}
              onChart={next => onChange({ chart: next, atMs: player.atMs })}
              onOfferFields={() => setOffersFields(true)}
            />
          </footer>
        </>
      )}
    </div>
  );
}

/** The drivers of these trips, by their cards. */
const driversOf = (accounts: readonly Account[]): ReadonlyMap<string, string> =>
  new Map(
    accounts.flatMap(({ legs }) =>
      legs.flatMap(({ cards }) => cards.flatMap(({ card, driver }) => (driver ? [[card, driver.name] as const] : []))),
    ),
  );

function useFenceNames(): ReadonlyMap<string, FenceName> {
  const enabled = useSession(({ me }) => me !== null && may(me, 'geofences.read'));
  const { data } = useGeofences({ enabled });
  return useMemo(() => new Map(data?.map(({ id, name, color }) => [id, { name, token: FENCE_TOKENS[color] }])), [data]);
}
