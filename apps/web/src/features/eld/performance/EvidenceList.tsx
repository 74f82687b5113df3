import { answerDispute, may, type PerformanceEvidence } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { joined, wireSpeedFigure } from '../../../format/measure.ts';
import { formatDay, formatTime } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { useWrite } from '../use-write.ts';
import styles from './Inspector.module.css';
import { figure } from './score-words.ts';

interface Props {
  readonly driverId: string;
  readonly name: string;
  readonly evidence: readonly PerformanceEvidence[];
}

const FEW = 8;
/** Time shown before and after an event in the replay, in ms. */
const AROUND_MS = 10 * 60_000;

/** All events that count, newest first, each with a link to its evidence and the driver's reply. */
export function EvidenceList({ driverId, name, evidence }: Props) {
  const { t } = useTranslation('eld');
  const [isAll, setIsAll] = useState(false);
  const system = useMeasureSystem();
  const mayAnswer = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const { mutate, isPending } = useWrite(
    ({ id, accept }: { readonly id: string; readonly accept: boolean }) =>
      call(answerDispute, { params: { driverId }, body: { evidence: id, accept, text: '' } }),
    t('dispute.answered'),
  );
  // Disputes that need a decision come first.
  const sorted = evidence.toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)));
  const shown = isAll ? sorted : sorted.slice(0, FEW);
  const linkOf = ({ source, vehicle, at }: PerformanceEvidence): string => {
    if (source.kind === 'log-day') return paths.eldLog(driverId, source.date);
    const atMs = source.kind === 'vehicle-day' ? Date.parse(`${source.date}T12:00:00Z`) : Date.parse(at);
    return paths.replay({
      ...(vehicle && { vehicles: [vehicle.id] }),
      fromMs: source.kind === 'vehicle-day' ? Date.parse(`${source.date}T00:00:00Z`) : atMs - AROUND_MS,
      toMs: source.kind === 'vehicle-day' ? Date.parse(`${source.date}T24:00:00Z`) : atMs + AROUND_MS,
      atMs,
    });
  };
  if (evidence.length === 0) return null;
  return (
    <section className={styles.card}>
      <h3>{t('performance.evidence')}</h3>
      <ul className={styles.evidence}>
        {shown.map(each => (
          <li key={each.id} data-out={!each.counts || undefined}>
            <Link to={linkOf(each)}>
              {t(`performance.kind.${each.kind}`)} · {formatDay(Date.parse(each.at))} {formatTime(Date.parse(each.at))}
            </Link>
            {each.vehicle && <Plate>{each.vehicle.deviceName}</Plate>}
            {each.speed !== null && <span>{joined(wireSpeedFigure(each.speed, system))}</span>}
            <b>{each.counts ? `−${figure(each.points, 1)}` : t('performance.out')}</b>
            {each.dispute && (
              <blockquote>
                <b>{t('dispute.reply', { name, day: formatDay(Date.parse(each.dispute.at)) })}</b> {each.dispute.text}
                <Chip
                  tone={
                    each.dispute.state === 'open' ? 'warning' : each.dispute.state === 'accepted' ? 'ok' : 'neutral'
                  }
                >
                  {t(`dispute.state.${each.dispute.state}`)}
                </Chip>
                {isOpen(each) && mayAnswer && (
                  <span className={styles.actions}>
                    <Button busy={isPending} onClick={() => mutate({ id: each.id, accept: true })}>
                      {t('dispute.accept')}
                    </Button>
                    <Button busy={isPending} onClick={() => mutate({ id: each.id, accept: false })}>
                      {t('dispute.reject')}
                    </Button>
                  </span>
                )}
              </blockquote>
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

const isOpen = ({ dispute }: PerformanceEvidence): boolean => dispute?.state === 'open';
