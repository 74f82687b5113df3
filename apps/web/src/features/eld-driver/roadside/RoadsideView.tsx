import type { MyDuty } from '@milepost/contract';
import {
  IconChevronLeft,
  IconChevronRight,
  IconFileExport,
  IconList,
  IconLock,
  IconTimeline,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logDate } from '../../../logbook/home-time.ts';
import { LogGraph } from '../../../logbook/LogGraph.tsx';
import { LogTable } from '../../../logbook/LogTable.tsx';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { useModal } from '../../../ui/use-modal.ts';
import { Facts } from './Facts.tsx';
import { Flags } from './Flags.tsx';
import { LeavePin } from './LeavePin.tsx';
import { OfficerFile } from './OfficerFile.tsx';
import { OfficerRecords } from './OfficerRecords.tsx';
import { officersDays } from './officers-days.ts';
import { PracticeFile } from './PracticeFile.tsx';
import view from './Roadside.module.css';
import { leaveRoadside, type RoadsideMode } from './roadside.ts';
import { UnidentifiedReport, unidentifiedOn } from './UnidentifiedReport.tsx';

/**
 * What an officer sees (Appendix A, 4.8.1.3): today and the days before, one day per screen, and nothing else on the
 * phone. Always in light colors, because it is read in daylight.
 */
export function RoadsideView({ duty, mode }: { readonly duty: MyDuty; readonly mode: RoadsideMode }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const dialog = useRef<HTMLDialogElement>(null);
  const [nth, setNth] = useState(0);
  const [asList, setAsList] = useState(false);
  const [report, setReport] = useState<'driver' | 'unidentified'>('driver');
  const [opened, setOpened] = useState<'pin' | 'file' | null>(null);
  const days = officersDays(duty);
  const day = days[Math.min(nth, days.length - 1)];
  useModal(dialog, true);
  if (!day) return null;
  const count = days.length;
  return (
    <dialog
      ref={dialog}
      className={view.roadside}
      data-color-scheme="light"
      aria-label={t('roadside.title')}
      onCancel={event => event.preventDefault()}
    >
      <header className={view.bar}>
        <IconLock size={24} stroke={1.75} aria-hidden />
        <h1>{t('roadside.title')}</h1>
        <button type="button" onClick={() => (mode === 'practice' ? leaveRoadside() : setOpened('pin'))}>
          {mode === 'practice' ? t('roadside.finish') : t('roadside.leave')}
        </button>
        <p>{mode === 'practice' ? t('roadside.practice') : t('roadside.officer', { count: count - 1 })}</p>
      </header>
      <div className={view.content}>
        <p className={view.preview}>
          <b>{t('roadside.preview')}</b> {t('roadside.previewText')}
        </p>
        <nav className={view.days} aria-label={t('log.dayOf', { n: count - nth, count })}>
          <IconButton label={t('log.previous')} disabled={nth >= count - 1} onClick={() => setNth(nth + 1)}>
            <IconChevronLeft size={24} stroke={1.75} aria-hidden />
          </IconButton>
          <div>
            <h2 aria-live="polite">{logDate(day.date, true)}</h2>
            <span className={view.dots} aria-hidden="true">
              {days.map(({ date }, index) => (
                <i key={date} data-on={count - 1 - index === nth || undefined} />
              ))}
            </span>
          </div>
          <IconButton label={t('log.next')} disabled={nth === 0} onClick={() => setNth(nth - 1)}>
            <IconChevronRight size={24} stroke={1.75} aria-hidden />
          </IconButton>
        </nav>
        {(duty.unidentified ?? []).length > 0 && (
          <div className={view.reports}>
            <Segments
              label={t('roadside.report')}
              segments={[
                { id: 'driver', label: duty.driver.name },
                {
                  id: 'unidentified',
                  label: t('roadside.unidentifiedDriver'),
                  count: unidentifiedOn(duty, day).length,
                },
              ]}
              chosen={report}
              onChoose={setReport}
            />
          </div>
        )}
        {report === 'unidentified' ? (
          <UnidentifiedReport duty={duty} day={day} />
        ) : (
          <>
            <Facts duty={duty} day={day} part="first" />
            <section className={view.graph}>{asList ? <LogTable day={day} /> : <LogGraph day={day} fit />}</section>
            <Flags duty={duty} day={day} />
            <Facts duty={duty} day={day} part="rest" />
            <OfficerRecords day={day} />
          </>
        )}
      </div>
      <footer className={view.foot}>
        <Button
          size="large"
          icon={
            asList ? (
              <IconTimeline size={20} stroke={1.75} aria-hidden />
            ) : (
              <IconList size={20} stroke={1.75} aria-hidden />
            )
          }
          onClick={() => setAsList(!asList)}
        >
          {t(asList ? 'roadside.asGraph' : 'roadside.asList')}
        </Button>
        <Button
          size="large"
          variant="primary"
          icon={<IconFileExport size={20} stroke={1.75} aria-hidden />}
          onClick={() => setOpened('file')}
        >
          {t('roadside.file')}
        </Button>
      </footer>
      {opened === 'pin' && <LeavePin onClose={() => setOpened(null)} />}
      {opened === 'file' &&
        (mode === 'practice' ? (
          <PracticeFile onClose={() => setOpened(null)} />
        ) : (
          <OfficerFile onClose={() => setOpened(null)} />
        ))}
    </dialog>
  );
}
