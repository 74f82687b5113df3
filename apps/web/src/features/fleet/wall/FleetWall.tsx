import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useNow, useVehicle } from '../../../live/view.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { useModal } from '../../../ui/use-modal.ts';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { Cell } from '../columns/Cell.tsx';
import { COLUMNS } from '../columns/columns.ts';
import type { FleetFacts } from '../facts.ts';
import type { FleetRows } from '../rows/fleet-rows.ts';
import styles from './FleetWall.module.css';
import { pageOf } from './pages.ts';
import { useAwake } from './use-awake.ts';

interface Props {
  readonly rows: FleetRows;
  readonly facts: FleetFacts;
  /** Name of the view. */
  readonly title: string;
  readonly totals: ReactNode;
  readonly onLeave: () => void;
}

/** Long enough to read a page from across the room. */
const PAGE_MS = 12_000;
const ROW_PX = 64;
/** Buttons appear with the pointer or the focus and disappear after this long. */
const BUTTONS_MS = 3000;

/** For a wall display: large rows, page after page. Space pauses, Esc leaves. */
export function FleetWall({ rows, facts, title, totals, onLeave }: Props) {
  const { t } = useTranslation(['fleet', 'vehicle']);
  const system = useMeasureSystem();
  const nowMs = useNow();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [turn, setTurn] = useState(0);
  const [size, setSize] = useState(1);
  const [paused, setPaused] = useState(false);
  const [buttons, showButtons] = useButtons();
  const imeis = [...new Set(rows.groups.flatMap(group => group.imeis))];
  const { items, page, pages } = pageOf(imeis, turn, size);
  useAwake();

  // Focus the dialog, not a button, so that no button looks pressed on the wall.
  useModal(dialog, true, element => element.focus());
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setSize(Math.max(1, Math.floor(element.clientHeight / ROW_PX))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (paused) return;
    const timer = setInterval(() => setTurn(before => before + 1), PAGE_MS);
    return () => clearInterval(timer);
  }, [paused]);

  return (
    <dialog
      ref={dialog}
      className={styles.wall}
      tabIndex={-1}
      aria-label={t('wall.label', { title })}
      onCancel={event => {
        event.preventDefault();
        onLeave();
      }}
      onKeyDown={event => {
        if (event.key !== ' ' || (event.target as HTMLElement).closest('button')) return;
        event.preventDefault();
        setPaused(before => !before);
        showButtons();
      }}
      onPointerMove={showButtons}
      onFocus={showButtons}
    >
      <header className={styles.head}>
        <h2>{title}</h2>
        <p>{totals}</p>
        <p className={styles.clock}>
          {paused ? t('wall.paused') : pages > 1 && t('wall.page', { page: page + 1, pages })}
          <b>{formatClock(nowMs)}</b>
        </p>
      </header>
      <div ref={list} className={styles.list}>
        <table>
          <thead className={styles.unseen}>
            <tr>
              {(['unit', 'driver', 'place', 'speed', 'since'] as const).map(id => (
                <th key={id} scope="col">
                  {id === 'speed' ? t('columns.speed') : COLUMNS[id].head(t, system)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(imei => (
              <WallRow key={imei} imei={imei} facts={facts} />
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.buttons} data-shown={buttons || undefined}>
        <IconButton
          bordered
          label={t(paused ? 'wall.resume' : 'wall.pause')}
          tooltip="left"
          onClick={() => setPaused(!paused)}
        >
          {paused ? (
            <IconPlayerPlay size={20} stroke={1.75} aria-hidden />
          ) : (
            <IconPlayerPause size={20} stroke={1.75} aria-hidden />
          )}
        </IconButton>
        <IconButton bordered label={t('wall.leave')} tooltip="left" onClick={onLeave}>
          <IconX size={20} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
    </dialog>
  );
}

function useButtons(): [shown: boolean, show: () => void] {
  const [shown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (): void => {
    setShown(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(false), BUTTONS_MS);
  };
  return [shown, show];
}

function WallRow({ imei, facts }: { readonly imei: string; readonly facts: FleetFacts }) {
  const { t } = useTranslation(['fleet', 'vehicle']);
  const system = useMeasureSystem();
  const entry = useVehicle(imei);
  if (!entry) return null;
  return (
    <tr>
      <th scope="row">
        <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} size={26} />
        <Plate size="lg">{entry.vehicle.deviceName}</Plate>
        <span className={styles.word}>{t(`vehicle:status.${entry.now.status}`)}</span>
      </th>
      <td>
        <Cell column="driver" entry={entry} facts={facts} />
      </td>
      <td>
        <Cell column="place" entry={entry} facts={facts} />
      </td>
      <td className={styles.figure}>
        {entry.now.status === 'moving' && entry.report && (
          <>
            <Cell column="speed" entry={entry} facts={facts} /> <small>{COLUMNS.speed.head(t, system)}</small>
          </>
        )}
      </td>
      <td className={styles.figure}>
        <Cell column="since" entry={entry} facts={facts} />
      </td>
    </tr>
  );
}
