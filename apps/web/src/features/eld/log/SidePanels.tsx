import {
  type LogDay,
  may,
  type Proposal,
  proposeEdit,
  type REMINDED_OF,
  type RouteAnswer,
  type readLogDay,
  remindDriver,
} from '@milepost/contract';
import { EXCEPTIONS, isExemption } from '@milepost/hos';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { boardQuery } from '../../../changes/keep-board.ts';
import { clockFigure } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import { useMinute } from '../../../live/view.ts';
import { ClockFigure } from '../../../logbook/ClockFigure.tsx';
import { CLOCKS } from '../../../logbook/clocks.ts';
import { formErrorText } from '../../../logbook/form-error.ts';
import { homeMoment, homeTime, logDate } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { Withdraw } from '../desk/Proposals.tsx';
import { isAskedToday } from '../is-asked-today.ts';
import { useWrite } from '../use-write.ts';
import { Effect } from './Effect.tsx';
import styles from './Panels.module.css';
import { VerifyCard } from './VerifyCard.tsx';

type Shown = RouteAnswer<typeof readLogDay>;

interface Props {
  readonly day: Shown;
  readonly proposals: readonly Proposal[];
  /** Why no change of the day can be proposed, and the ID by which the button refers to it. */
  readonly refused: { readonly id: string; readonly text: string } | null;
  /** The driver keeps a log here, which the user may change. */
  readonly mayAsk: boolean;
}

/** Panels beside the log: proposals, certification, cycle, and changed records. */
export function SidePanels({ day, proposals, refused, mayAsk }: Props) {
  return (
    <div className={styles.panels}>
      {proposals.map(proposal => (
        <Proposed key={proposal.id} proposal={proposal} day={day} />
      ))}
      {day.clocks && <Clocks day={day} />}
      <Certification day={day} refused={refused} mayAsk={mayAsk} />
      <Declared day={day} />
      <Recap day={day} />
      <History day={day} />
      <VerifyCard key={day.driverId} driverId={day.driverId} />
    </div>
  );
}

function Proposed({ proposal, day }: { readonly proposal: Proposal; readonly day: LogDay }) {
  const { t } = useTranslation(['eld', 'logbook']);
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const { replaces, status, at, reason, by, proposedAt, driverId, id } = proposal;
  const record = replaces && day.records.find(one => one.at === replaces.at && one.status === replaces.status);
  const { data } = useQuery({
    queryKey: ['eld', 'effect', id],
    enabled: mayWrite,
    retry: false,
    queryFn: () =>
      call(proposeEdit, { body: { driverId, replaces: record?.id ?? null, status, at, reason, preview: true } }),
  });
  const box = (of: { readonly status: Proposal['status'] | null; readonly at: string }, name: 'now' | 'proposed') => (
    <div data-new={name === 'proposed' || undefined}>
      <small>{t(`propose.${name}`)}</small>
      {of.status && <DutyChip status={of.status} label={t(`logbook:status.${of.status}`)} />}
      <span>{t('propose.from', { time: homeTime(Date.parse(of.at), day.timeZone) })}</span>
    </div>
  );
  return (
    <section className={styles.card}>
      <header>
        <h2>{t('propose.title')}</h2>
        <Chip tone="warning">{t('proposals.state.waiting')}</Chip>
      </header>
      <div className={styles.boxes}>
        {replaces && box(replaces, 'now')}
        {replaces && <span aria-hidden="true">→</span>}
        {box({ status, at }, 'proposed')}
      </div>
      <blockquote>
        “{reason}”
        <small>
          {by} · {homeMoment(Date.parse(proposedAt), day.timeZone)}
        </small>
      </blockquote>
      {data && <Effect effect={data.effect} />}
      <div className={styles.actions}>
        <Ask about="proposals" driverId={driverId} name={proposal.driverName} />
        {mayWrite && <Withdraw proposal={proposal} />}
      </div>
    </section>
  );
}

function Clocks({ day: { clocks, exempt } }: { readonly day: Shown }) {
  const { t } = useTranslation(['eld', 'logbook']);
  if (!clocks) return null;
  return (
    <section className={styles.card}>
      <header>
        <h2>{t('log.hoursLeft')}</h2>
        {isExemption(exempt) && <Chip tone="info">{t(`board.exempt.${exempt}`)}</Chip>}
      </header>
      <dl className={styles.clocks}>
        {CLOCKS.map(name => {
          const clock = clocks[name];
          return (
            clock && (
              <div key={name}>
                <dt>{t(`logbook:clock.${name}`)}</dt>
                <dd>
                  <ClockFigure name={name} {...clock} />
                </dd>
              </div>
            )
          );
        })}
      </dl>
    </section>
  );
}

/** Asks the driver for what waits; their phone shows it at once. */
function Ask({ about, driverId, name }: AskProps) {
  const { t } = useTranslation('eld');
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const isDay = about === 'certification';
  const write = useWrite(
    () => call(remindDriver, { params: { driverId }, body: { about } }),
    t(isDay ? 'certification.asked' : 'certification.reminded', { name }),
  );
  const board = useQuery({ ...boardQuery, enabled: isDay });
  const nowMs = useMinute();
  const row = isDay ? board.data?.rows.find(one => one.driverId === driverId) : undefined;
  const askedAt = row?.certificationAskedAt ?? null;
  if (row && askedAt !== null && isAskedToday(row, nowMs)) {
    return <p>{t('request.byDriver.today', { time: homeTime(Date.parse(askedAt), row.timeZone) })}</p>;
  }
  if (!mayWrite) return null;
  return (
    <p>
      <Button busy={write.isPending} onClick={() => write.mutate()}>
        {t(isDay ? 'certification.ask' : 'certification.remind')}
      </Button>
    </p>
  );
}

interface AskProps {
  readonly about: (typeof REMINDED_OF)[number];
  readonly driverId: string;
  readonly name: string;
}

function Certification({ day, refused, mayAsk }: Omit<Props, 'proposals'>) {
  const { certification, timeZone, formErrors, driver, driverId } = day;
  const isOver = Date.parse(day.through) >= Date.parse(day.to);
  const { t } = useTranslation(['eld', 'logbook']);
  const { t: tOfLog } = useTranslation('logbook');
  const { count, lastAt, changedSince } = certification;
  const state = count === 0 ? 'none' : changedSince ? 'changed' : 'valid';
  return (
    <section className={styles.card}>
      <header>
        <h2>{t('certification.title')}</h2>
        {(isOver || state !== 'none') && (
          <Chip tone={state === 'valid' ? 'ok' : state === 'changed' ? 'warning' : 'neutral'}>
            {t(`certification.chip.${state}`)}
          </Chip>
        )}
      </header>
      <p>
        {state === 'none'
          ? t(isOver ? 'certification.none' : 'certification.running', { name: driver.name })
          : t(`certification.${state}`, {
              name: driver.name,
              time: lastAt === null ? '' : homeMoment(Date.parse(lastAt), timeZone),
            })}
      </p>
      {formErrors.length > 0 && (
        <ul className={styles.errors}>
          {formErrors.map(error => (
            <li key={error.code}>{formErrorText(tOfLog, error)}</li>
          ))}
        </ul>
      )}
      {refused && <p id={refused.id}>{refused.text}</p>}
      {mayAsk && isOver && state !== 'valid' && <Ask about="certification" driverId={driverId} name={driver.name} />}
    </section>
  );
}

/** Exceptions that the driver declared on this day: the clocks follow them. Without an end, for the shift. */
function Declared({ day }: { readonly day: Shown }) {
  const { t } = useTranslation('eld');
  if (day.declarations.length === 0) return null;
  return (
    <section className={styles.card}>
      <h2>{t('declared.title')}</h2>
      <ol className={styles.history}>
        {day.declarations.map(({ exception, from, reason, to }) => {
          const when = [from, to]
            .flatMap(at => (at === null ? [] : [homeTime(Date.parse(at), day.timeZone)]))
            .join(' – ');
          const known = EXCEPTIONS.find(one => one === exception);
          return (
            <li key={from + exception}>
              <b>{known ? t(`declared.names.${known}`) : exception}</b>
              <small>{[when, reason].filter(Boolean).join(' · ')}</small>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Recap({ day: { recap } }: { readonly day: Shown }) {
  const { t } = useTranslation('eld');
  const most = Math.max(1, ...recap.days.map(({ onDutyS }) => onDutyS));
  return (
    <section className={styles.card}>
      <header>
        <h2>{t('recap.title', { count: recap.days.length, n: formatCount(recap.days.length) })}</h2>
        <span>
          {t('recap.used', { time: clockFigure(recap.usedS) })} ·{' '}
          <b>{t('recap.left', { time: clockFigure(recap.leftS) })}</b>
        </span>
      </header>
      <ul className={styles.recap}>
        {recap.days.map(({ date, onDutyS, countedS }) => (
          <li key={date} data-dropped={(onDutyS > 0 && countedS === 0) || undefined}>
            <i style={{ height: `${(onDutyS / most) * 40}px` }} aria-hidden="true" />
            <span>{logDate(date).split(/[\s,]/)[0]}</span>
            <span>{clockFigure(onDutyS)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Records that no longer count and why, newest first. */
function History({ day }: { readonly day: Shown }) {
  const { t } = useTranslation(['eld', 'logbook']);
  const changed = day.records
    .filter(({ state }) => state !== 'active')
    .toSorted((one, other) => Date.parse(other.recordedAt) - Date.parse(one.recordedAt));
  if (changed.length === 0) return null;
  return (
    <section className={styles.card}>
      <h2>{t('history.title')}</h2>
      <ol className={styles.history}>
        {changed.map(({ id, state, status, at, by, recordedAt, note }) => (
          <li key={id}>
            <b>{t(`record.state.${state}`)}</b>
            {status && ` · ${t(`logbook:status.${status}`)} ${homeTime(Date.parse(at), day.timeZone)}`}
            <small>{[by, homeMoment(Date.parse(recordedAt), day.timeZone), note].filter(Boolean).join(' · ')}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
