import { annotateRecord, may, type ShownRecord } from '@milepost/contract';
import { metres } from '@milepost/units';
import {
  IconAlertCircle,
  IconBuildingWarehouse,
  IconChevronLeft,
  IconChevronRight,
  IconCircleCheck,
  IconEdit,
  IconFileExport,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../base/api.ts';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { useShortcuts } from '../../../base/shortcuts/use-shortcuts.ts';
import { dayAfter } from '../../../format/date.ts';
import { listOf } from '../../../format/locale.ts';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { missingWords } from '../../../logbook/form-error.ts';
import { homeTime, homeZone, logDate } from '../../../logbook/home-time.ts';
import { LogGraph } from '../../../logbook/LogGraph.tsx';
import { LogTable } from '../../../logbook/LogTable.tsx';
import { spansOf } from '../../../logbook/log-shape.ts';
import { ruleWords } from '../../../logbook/rule-words.ts';
import { paths } from '../../../paths.ts';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { EldFrame } from '../EldFrame.tsx';
import { OutputFileDialog } from '../OutputFileDialog.tsx';
import { dayQuery, proposalsQuery } from '../queries.ts';
import { Stale } from '../Stale.tsx';
import { StandingLog } from '../Standing.tsx';
import { DaysStrip } from './DaysStrip.tsx';
import styles from './LogPage.module.css';
import { RecordsTable } from './RecordsTable.tsx';
import { SidePanels } from './SidePanels.tsx';
import { SPEED_LANE_PX, SpeedLane } from './SpeedLane.tsx';
import { shiftOf } from './shift.ts';
import { TrailMap } from './TrailMap.tsx';
import { useDayTracks } from './use-day-tracks.ts';
import { useLogAddress } from './use-log-address.ts';

const ProposeDialog = lazyPart(async () => (await import('./ProposeDialog.tsx')).ProposeDialog);
const AnnotateDialog = lazyPart(async () => (await import('../desk/AnnotateDialog.tsx')).AnnotateDialog);

const VIEWS = ['graph', 'table', 'map'] as const;
const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** By whether it began and ended on the day. */
const SHIFT_WORDS = {
  'true true': 'log.fromTo',
  'true false': 'log.since',
  'false true': 'log.until',
  'false false': 'log.sinceBefore',
} as const;

/** `/eld/drivers/:id`: one day of a driver's log as graph, table and map, with its changes. */
export function LogPage() {
  const { t } = useTranslation(['eld', 'logbook']);
  const { t: tOfLog } = useTranslation('logbook');
  const { driverId, days, listed, date, isLatest, show } = useLogAddress();
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const system = useMeasureSystem();
  const [view, setView] = useState<(typeof VIEWS)[number]>('graph');
  const [chosen, setChosen] = useState<number | null>(null);
  const whyNot = useId();
  const [dialog, setDialog] = useState<'propose' | 'file' | ShownRecord | null>(null);
  const query = useQuery({
    ...dayQuery(driverId, date ?? ''),
    enabled: date !== null,
    // Keep showing the current day while another day of the same driver loads.
    placeholderData: (before, previous) => (previous?.queryKey[2] === driverId ? keepPreviousData(before) : undefined),
  });
  const day = query.data;
  const proposals = useQuery(proposalsQuery(driverId));
  const tracks = useDayTracks(day);
  const close = () => setDialog(null);
  const step = (to: string): void => {
    setChosen(null);
    show(to);
  };
  useShortcuts([
    { keys: ['['], label: t('log.previous'), group: t('log.title'), run: () => date !== null && step(dayBefore(date)) },
    {
      keys: [']'],
      label: t('log.next'),
      group: t('log.title'),
      run: () => date !== null && !isLatest && step(dayAfter(date)),
    },
  ]);

  if (day === undefined || date === null) {
    const isEmpty = days.data !== undefined && date === null;
    return (
      <EldFrame title={t('log.title')}>
        <h1 className={styles.hidden}>{t('log.title')}</h1>
        <RegistryState
          total={isEmpty ? 0 : undefined}
          error={days.error ?? query.error}
          onRetry={() => {
            void days.refetch();
            void query.refetch();
          }}
          onClear={() => {}}
          empty={{
            title: t('log.empty.title'),
            text: t('log.empty.text'),
            action: <Link to={paths.eldDrivers()}>{t('log.back')}</Link>,
          }}
        />
      </EldFrame>
    );
  }

  const { driver, timeZone } = day;
  const refused = mayWrite ? day.changeRefused : null;
  // A day that isn't certified can still get a remark.
  const mayAnnotate = mayWrite && (refused === null || refused === 'not-certified');
  const waiting = (proposals.data ?? []).filter(one => one.state === 'waiting' && one.date === day.date);
  const spans = spansOf(day);
  const shift = shiftOf(day, spans);
  const [proposal] = waiting;
  const proposedFrom = proposal ? Date.parse(proposal.at) : 0;
  const replaced = proposal && spans.find(one => one.fromMs <= proposedFrom && one.toMs > proposedFrom);
  const hasSpeed = tracks.some(({ timeMs }) => timeMs.length > 0);
  return (
    <EldFrame
      title={t('log.of', { name: driver.name })}
      note={t('homeTimeAlone', { zone: homeZone(Date.parse(day.from), timeZone) })}
    >
      <header className={styles.head}>
        <Avatar name={driver.name} kind="person" />
        <h1>{driver.name}</h1>
        {driver.licence && <Chip>{driver.licence}</Chip>}
        {day.vehicles.map(name => (
          <Plate key={name}>{name}</Plate>
        ))}
        <Chip>
          <IconBuildingWarehouse size={13} stroke={1.75} aria-hidden />
          {driver.terminal}
        </Chip>
        <div className={styles.tools}>
          <span className={styles.dates}>
            <IconButton bordered label={t('log.previous')} onClick={() => step(dayBefore(day.date))}>
              <IconChevronLeft size={18} stroke={1.75} aria-hidden />
            </IconButton>
            <label>
              <span className={styles.hidden}>{t('log.date')}</span>
              <input
                type="date"
                value={date}
                max={listed[0]?.date}
                onChange={event => event.currentTarget.value && step(event.currentTarget.value)}
              />
            </label>
            <IconButton
              bordered
              label={t('log.next')}
              aria-disabled={isLatest || undefined}
              onClick={() => !isLatest && step(dayAfter(day.date))}
            >
              <IconChevronRight size={18} stroke={1.75} aria-hidden />
            </IconButton>
          </span>
          <Segments
            label={t('log.view')}
            segments={VIEWS.map(id => ({ id, label: t(`log.views.${id}`) }))}
            chosen={view}
            onChoose={setView}
          />
          <Button icon={<IconFileExport size={16} stroke={1.75} aria-hidden />} onClick={() => setDialog('file')}>
            {t('output.open')}
          </Button>
          {mayWrite && (
            <Button
              variant="primary"
              icon={<IconEdit size={16} stroke={1.75} aria-hidden />}
              aria-disabled={refused !== null || undefined}
              data-tooltip={refused === null ? undefined : t(`propose.refused.${refused}`)}
              data-tooltip-side="bottom-end"
              aria-describedby={refused === null ? undefined : whyNot}
              onClick={() => refused === null && setDialog('propose')}
            >
              {t('propose.open')}
            </Button>
          )}
        </div>
      </header>
      <Stale query={query} />
      <StandingLog standing={day.standing} timeZone={timeZone} />
      <div className={styles.log}>
        <DaysStrip days={listed} shown={day.date} />
        <section className={styles.main} aria-label={logDate(day.date, true)}>
          <div className={styles.facts}>
            {day.distanceKm !== null && (
              <span>
                {t('log.distance')} <b>{joined(distanceFigure(metres(day.distanceKm * 1000), system))}</b>
              </span>
            )}
            {shift && (
              <span>
                {t('log.shift')}{' '}
                <b>
                  {t(SHIFT_WORDS[`${shift.fromMs !== null} ${shift.toMs !== null}`], {
                    from: shift.fromMs !== null ? homeTime(shift.fromMs, timeZone) : '',
                    to: shift.toMs !== null ? homeTime(shift.toMs, timeZone) : '',
                  })}
                </b>
              </span>
            )}
            {day.trailers.length > 0 && (
              <span>
                {t('log.trailer')} <b>{day.trailers.join(', ')}</b>
              </span>
            )}
            {day.shippingDocuments.length > 0 && (
              <span>
                {t('log.shipping')} <b>{day.shippingDocuments.join(', ')}</b>
              </span>
            )}
            <span className={styles.verdict}>
              {day.violations.length === 0 ? (
                <span className={styles.ok}>
                  <IconCircleCheck size={14} stroke={1.75} aria-hidden /> {t('log.noViolations')}
                </span>
              ) : (
                day.violations.map(({ rule, from, clause }) => (
                  <Chip key={rule + from} tone="critical">
                    <IconAlertCircle size={13} stroke={1.75} aria-hidden />
                    <span title={clause}>{ruleWords(t, rule)}</span>
                  </Chip>
                ))
              )}
            </span>
          </div>
          {view === 'graph' && (
            <div className={styles.graph}>
              <LogGraph
                day={day}
                chosen={chosen}
                onChoose={setChosen}
                proposed={
                  proposal && replaced ? { status: proposal.status, fromMs: proposedFrom, toMs: replaced.toMs } : null
                }
                {...(hasSpeed && {
                  below: {
                    height: SPEED_LANE_PX,
                    draw: (x: (ms: number) => number) => <SpeedLane tracks={tracks} x={x} />,
                  },
                })}
              />
            </div>
          )}
          {view === 'table' && (
            <div className={styles.table}>
              <LogTable day={day} />
            </div>
          )}
          {view === 'map' && <TrailMap tracks={tracks} />}
          {day.missing.length > 0 && (
            <p className={styles.missing}>{t('log.missing', { what: listOf(missingWords(tOfLog, day)) })}</p>
          )}
          <RecordsTable
            day={day}
            chosen={(chosen === null ? null : spans[chosen]?.record) ?? null}
            onAnnotate={mayAnnotate ? setDialog : null}
          />
        </section>
        <SidePanels
          day={day}
          proposals={waiting}
          refused={refused === null ? null : { id: whyNot, text: t(`propose.refused.${refused}`) }}
          mayAsk={mayAnnotate}
        />
      </div>
      {dialog === 'propose' && <ProposeDialog day={day} onClose={close} />}
      {dialog === 'file' && <OutputFileDialog driverId={driverId} onClose={close} />}
      {dialog !== null && typeof dialog === 'object' && (
        <AnnotateDialog
          title={t('annotate.record', { time: homeTime(Date.parse(dialog.at), timeZone) })}
          save={text => call(annotateRecord, { body: { log: `driver:${driverId}`, record: dialog.id, text } })}
          onClose={close}
        />
      )}
    </EldFrame>
  );
}
