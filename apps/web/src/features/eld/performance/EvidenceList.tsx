import { may, type PerformanceDays, type PerformanceEvidence } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { joined, wireSpeedFigure } from '../../../format/measure.ts';
import { formatDay, formatTime } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { DisputeAnswer } from './DisputeAnswer.tsx';
import styles from './Inspector.module.css';
import { figure } from './score-words.ts';

const DisputeForm = lazyPart(async () => (await import('./DisputeForm.tsx')).DisputeForm);

interface Props {
  readonly driverId: string;
  readonly name: string;
  readonly days: PerformanceDays;
  readonly evidence: readonly PerformanceEvidence[];
  /** It is the signed-in driver's: they can dispute, not decide. */
  readonly own?: boolean;
}

const FEW = 8;
/** Time shown before and after an event in the replay, in ms. */
const AROUND_MS = 10 * 60_000;
const DISPUTE_TONES = { open: 'warning', accepted: 'ok', rejected: 'neutral' } as const;

/** All events that count, newest first, each with a link to its evidence and the driver's reply. */
export function EvidenceList({ driverId, name, days, evidence, own = false }: Props) {
  const { t } = useTranslation('eld');
  const [isAll, setIsAll] = useState(false);
  const [disputing, setDisputing] = useState<string | null>(null);
  const system = useMeasureSystem();
  const mayAnswer = useSession(({ me }) => me !== null && may(me, 'logbook.write')) && !own;
  // Disputes that need a decision come first.
  const sorted = evidence.toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)));
  const shown = isAll ? sorted : sorted.slice(0, FEW);
  if (evidence.length === 0) return null;
  return (
    <section className={styles.card}>
      <h3>{t('performance.evidence')}</h3>
      <ul className={styles.evidence}>
        {shown.map(each => (
          <li key={each.id} data-out={!each.counts || undefined}>
            <Link to={linkOf(each, driverId, own)}>
              {t(`performance.one.${each.kind}`, { n: figure(each.amount, 1) })} · {momentOf(each)}
            </Link>
            {each.vehicle && <Plate>{each.vehicle.deviceName}</Plate>}
            <Detail of={each} speed={each.speed === null ? null : joined(wireSpeedFigure(each.speed, system))} />
            <b>{each.counts ? `−${figure(each.points, 2)}` : t('performance.out')}</b>
            {each.dispute && (
              <blockquote>
                <b>{t('dispute.reply', { name, day: formatDay(Date.parse(each.dispute.at)) })}</b> {each.dispute.text}{' '}
                <Chip tone={DISPUTE_TONES[each.dispute.state]}>{t(`dispute.state.${each.dispute.state}`)}</Chip>
                {each.dispute.answer !== '' && (
                  <p>
                    <b>{t('dispute.by', { name: each.dispute.answeredBy ?? t('dispute.office') })}</b>{' '}
                    {each.dispute.answer}
                  </p>
                )}
                {isOpen(each) && mayAnswer && (
                  <DisputeAnswer driverId={driverId} name={name} days={days} evidence={each.id} />
                )}
              </blockquote>
            )}
            {own && mayDispute(each) && disputing !== each.id && (
              <Button variant="text" onClick={() => setDisputing(each.id)}>
                {t(each.dispute ? 'dispute.change' : 'dispute.start')}
              </Button>
            )}
            {own && disputing === each.id && (
              <DisputeForm
                evidence={each.id}
                days={days}
                initial={each.dispute?.text ?? ''}
                onDone={() => setDisputing(null)}
              />
            )}
          </li>
        ))}
      </ul>
      {evidence.length > FEW && !isAll && (
        <Button variant="text" onClick={() => setIsAll(true)}>
          {t('performance.all', { n: figure(evidence.length) })}
        </Button>
      )}
    </section>
  );
}

/** The speed, the rule that was broken, or the task that was reached late. */
function Detail({ of: { source }, speed }: { readonly of: PerformanceEvidence; readonly speed: string | null }) {
  const { t } = useTranslation('eld');
  if (source.kind === 'task') {
    return (
      <span>
        {source.title}, {t('performance.late', { count: source.lateMinutes, n: figure(source.lateMinutes) })}
      </span>
    );
  }
  const words = speed ?? (source.kind === 'log-day' ? source.clause : null);
  return words !== null && <span>{words}</span>;
}

const isOpen = ({ dispute }: PerformanceEvidence): boolean => dispute?.state === 'open';
/** What was decided stays decided. */
const mayDispute = ({ dispute }: PerformanceEvidence): boolean => dispute === null || dispute.state === 'open';

/** What is of a whole day has no time. */
function momentOf({ at, kind, source }: PerformanceEvidence): string {
  if (source.kind === 'vehicle-day' || (source.kind === 'log-day' && kind === 'certification'))
    return logDate(source.date);
  return `${formatDay(Date.parse(at))} ${formatTime(Date.parse(at))}`;
}

function linkOf({ source, vehicle, at }: PerformanceEvidence, driverId: string, own: boolean): string {
  if (source.kind === 'log-day') return own ? paths.eldOwnLog() : paths.eldLog(driverId, source.date);
  if (source.kind === 'task') return own ? paths.personal() : paths.opened(paths.dispatch(), source.taskId);
  const isDay = source.kind === 'vehicle-day';
  const atMs = isDay ? Date.parse(`${source.date}T12:00:00Z`) : Date.parse(at);
  return paths.replay({
    ...(vehicle && { vehicles: [vehicle.id] }),
    fromMs: isDay ? Date.parse(`${source.date}T00:00:00Z`) : atMs - AROUND_MS,
    toMs: isDay ? Date.parse(`${source.date}T24:00:00Z`) : atMs + AROUND_MS,
    atMs,
  });
}
