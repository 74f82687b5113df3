import type { BoardRow } from '@milepost/contract';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatAge, formatDuration, spokenAge } from '../../../format/duration.ts';
import { loggedPlaceWords, placeWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useFromNow } from '../../../live/view.ts';
import { isViolating } from '../../../logbook/attention.ts';
import { ClockFigure } from '../../../logbook/ClockFigure.tsx';
import { type ClockName, clocksAt, isWorking, tightest } from '../../../logbook/clocks.ts';
import { homeWhen } from '../../../logbook/home-time.ts';
import { ruleWords } from '../../../logbook/rule-words.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import hidden from '../../../ui/hidden.module.css';
import { Plate } from '../../../ui/Plate.tsx';
import styles from './cells.module.css';

interface Props {
  readonly row: BoardRow;
}

/** A vehicle that hasn't reported for this long says nothing about now, in ms. */
const SILENT_MS = 15 * 60_000;
const SOON_S = 2 * 3600;

export const DriverCell = ({ row, urgent }: Props & { readonly urgent: boolean }) => (
  <span className={styles.driver} data-urgent={urgent || undefined}>
    <Avatar name={row.name} kind="person" size={24} />
    <b>{row.name}</b>
  </span>
);

export function StatusCell({ row }: Props) {
  const { t } = useTranslation('logbook');
  return <DutyChip status={row.status} label={t(`status.${row.status}`)} />;
}

export function SinceCell({ row }: Props) {
  const since = row.since === null ? null : Date.parse(row.since);
  const words = useFromNow(nowMs =>
    since === null ? '' : formatDuration(Math.floor((nowMs - since) / 60_000) * 60_000),
  );
  return <span className={styles.nowrap}>{words}</span>;
}

export const UnitCell = ({ row }: Props) => row.vehicle && <Plate>{row.vehicle.deviceName}</Plate>;

/** Where the vehicle is now, or else what the log said last. */
export function PlaceCell({ row: { here, place } }: Props) {
  const { t } = useTranslation('eld');
  const system = useMeasureSystem();
  if (here) return <span className={styles.place}>{placeWords(here, system)}</span>;
  if (place === null) return null;
  return (
    <span className={`${styles.place} ${styles.quiet}`} title={t('board.logged')}>
      {loggedPlaceWords(place, system)}
      <span className={hidden.hidden}> {t('board.logged')}</span>
    </span>
  );
}

/** One clock, counting down. */
export function ClockCell({ row, name }: Props & { readonly name: ClockName }) {
  const minutes = useFromNow(nowMs => Math.floor((clocksAt(row, nowMs)[name]?.leftS ?? -1) / 60));
  const clock = row.clocks[name];
  return clock && <ClockFigure name={name} leftS={minutes * 60} limitS={clock.limitS} />;
}

/** On a phone: the clock with the least time left. */
export function TightestCell({ row }: Props) {
  const { t } = useTranslation('logbook');
  const name = useFromNow(nowMs => tightest(clocksAt(row, nowMs)).name);
  return (
    <span className={styles.card}>
      <StatusCell row={row} />
      <SinceCell row={row} />
      {row.vehicle && <Plate>{row.vehicle.deviceName}</Plate>}
      <span className={styles.tightest}>
        <span aria-hidden="true">{t(`clock.${name as ClockName}`)}</span>
        <ClockCell row={row} name={name as ClockName} />
      </span>
    </span>
  );
}

const EXEMPT = ['agriculture', 'emergencyRelief'] as const;

/** When the driver must stop, or may drive again. */
export function NextCell({ row }: Props) {
  const { t } = useTranslation('eld');
  const words = useFromNow(nowMs => {
    if (row.mayDriveAgainAt !== null) return `later ${homeWhen(Date.parse(row.mayDriveAgainAt), nowMs, row.timeZone)}`;
    if (row.status !== 'D' || row.mustStopBy === null) return 'now';
    const leftS = (Date.parse(row.mustStopBy) - nowMs) / 1000;
    return leftS <= 0
      ? 'stop'
      : leftS < SOON_S
        ? `by ${homeWhen(Date.parse(row.mustStopBy), nowMs, row.timeZone)}`
        : 'now';
  });
  const exemption = EXEMPT.find(one => one === row.exempt);
  if (exemption) return <Chip tone="info">{t(`board.exempt.${exemption}`)}</Chip>;
  const [kind, ...time] = words.split(' ');
  if (kind === 'now') return <span className={styles.quiet}>{t('board.available')}</span>;
  const late = kind === 'stop';
  return (
    <span className={late ? styles.critical : styles.warning}>
      {late ? t('board.stopNow') : kind === 'by' ? t('board.stopBy', { time: time.join(' ') }) : time.join(' ')}
    </span>
  );
}

export function ViolationCell({ row }: Props) {
  const { t } = useTranslation(['eld', 'logbook']);
  const open = useFromNow(nowMs => isViolating(row, nowMs));
  const [first, ...more] = row.violations.toSorted((one, other) => Number(other.isOpen) - Number(one.isOpen));
  if (!first && !open) return <span className={styles.quiet}>–</span>;
  return (
    <span className={styles.chips}>
      <Chip tone={open ? 'critical' : 'warning'}>
        <IconAlertCircle size={13} stroke={1.75} aria-hidden />
        {first ? (
          <span title={ruleWords(t, first.rule)}>
            <span aria-hidden="true">{shortRule(first.rule) ?? ruleWords(t, first.rule)}</span>
            <span className={hidden.hidden}>{ruleWords(t, first.rule)}</span>
          </span>
        ) : (
          t(`logbook:clock.${tightest(row.clocks).name}`)
        )}
      </Chip>
      {more.length > 0 && <span className={styles.quiet}>+{more.length}</span>}
    </span>
  );
}

/** `11 h` from `US_11H`, where there is no room for more. */
const shortRule = (rule: string): string | null => {
  const [, figure, unit] = /_(\d+)(H|MIN)/.exec(rule) ?? [];
  return figure === undefined ? null : `${figure} ${unit === 'H' ? 'h' : 'min'}`;
};

/** State of the vehicle's logging device. */
export function DeviceCell({ row }: Props) {
  const { t } = useTranslation('eld');
  const silent = useFromNow(nowMs => row.reportAt === null || nowMs - Date.parse(row.reportAt) > SILENT_MS);
  if (row.standing !== null) return <Chip tone="critical">{t('standing.chip')}</Chip>;
  if (row.faults.length > 0) {
    return (
      <span className={styles.chips}>
        {row.faults.map(code => (
          <Chip key={code} tone={isMalfunction(code) ? 'critical' : 'warning'}>
            {t(isMalfunction(code) ? 'board.malfunction' : 'board.diagnostic', { code })}
          </Chip>
        ))}
      </span>
    );
  }
  if (row.vehicle === null) return null;
  if (silent && isWorking(row.status)) return <Chip tone="warning">{t('board.noData')}</Chip>;
  return (
    <span className={styles.fine}>
      <IconCircleCheck size={15} stroke={1.75} aria-hidden />
      <span className={hidden.hidden}>{t('board.works')}</span>
    </span>
  );
}

/** Letters are malfunctions, digits are data diagnostics. */
export const isMalfunction = (code: string): boolean => /^[A-Z]$/.test(code);

/** Time since the last report. */
export function AgeCell({ at }: { readonly at: string | null }) {
  const ms = at === null ? null : Date.parse(at);
  const words = useFromNow(nowMs => (ms === null ? '' : formatAge(nowMs - ms)));
  const spoken = useFromNow(nowMs => (ms === null ? '' : spokenAge(Math.floor((nowMs - ms) / 60_000) * 60_000)));
  const old = useFromNow(nowMs => ms !== null && nowMs - ms > SILENT_MS);
  if (ms === null) return null;
  return (
    <span className={old ? styles.warning : styles.quiet}>
      <span aria-hidden="true">{words}</span>
      <span className={hidden.hidden}>{spoken}</span>
    </span>
  );
}
