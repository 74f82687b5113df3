import type { LogDay, MyDuty, ShownRecord } from '@milepost/contract';
import { IconArrowLeft, IconChevronLeft, IconChevronRight, IconPlus, IconSignature } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { formatHours } from '../../../format/duration.ts';
import { listOf } from '../../../format/locale.ts';
import { formErrorText, missingWords, toCorrect } from '../../../logbook/form-error.ts';
import { homeMoment, homeTime, logDate } from '../../../logbook/home-time.ts';
import { LogGraph } from '../../../logbook/LogGraph.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from '../Driver.module.css';
import { entryWords } from '../entry-words.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { useAct } from '../use-act.ts';
import { DATE, useView } from '../view.ts';
import { DayDistance } from './DayDistance.tsx';
import { EditSheet } from './EditSheet.tsx';
import view from './Log.module.css';
import { Records } from './Records.tsx';
import { RemarkSheet } from './RemarkSheet.tsx';

/** `edit`: a record to change; `remark`: a record to annotate; `add`: a new record. */
type Opened = { readonly kind: 'edit' | 'remark'; readonly record: ShownRecord } | { readonly kind: 'add' };

/** Logs of today and the days before: graph, records, certification. */
export function LogView({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const { t: tOfLog } = useTranslation('logbook');
  const { close, open } = useView();
  const { run } = useAct();
  const [parameters, setParameters] = useSearchParams();
  const [opened, setOpened] = useState<Opened | null>(null);
  const waiting = useDriverDuty(state => state.waiting);
  const wanted = duty.days.findIndex(({ date }) => date === parameters.get(DATE));
  const nth = Math.max(0, wanted);
  const day = duty.days[nth];
  if (!day) return null;
  const go = (to: number) => setParameters({ view: 'log', [DATE]: duty.days[to]?.date ?? '' }, { replace: true });
  const mayCertify = duty.toCertify.includes(day.date);
  const inDay = waiting.filter(({ action, at }) => {
    const moment = action.kind === 'edit' ? action.at : at;
    return moment >= day.from && moment < day.to;
  });
  return (
    <div className={styles.page} data-page="flow">
      <header className={view.head}>
        <IconButton label={t('back')} onClick={close}>
          <IconArrowLeft size={22} stroke={1.75} aria-hidden />
        </IconButton>
        <h1>{t('log.title')}</h1>
      </header>
      <nav className={view.days} aria-label={t('log.dayOf', { n: nth + 1, count: duty.days.length })}>
        <IconButton label={t('log.previous')} disabled={nth >= duty.days.length - 1} onClick={() => go(nth + 1)}>
          <IconChevronLeft size={22} stroke={1.75} aria-hidden />
        </IconButton>
        <h2 aria-live="polite">{nth === 0 ? `${t('log.today')} · ${logDate(day.date)}` : logDate(day.date)}</h2>
        <IconButton label={t('log.next')} disabled={nth === 0} onClick={() => go(nth - 1)}>
          <IconChevronRight size={22} stroke={1.75} aria-hidden />
        </IconButton>
      </nav>
      <section className={view.graph}>
        <LogGraph day={day} fit />
      </section>
      <p className={view.facts}>
        <CertificationChip day={day} isToday={nth === 0} />
        <DayDistance km={day.distanceKm} />
      </p>
      {day.violations.map(({ clause, from, overS, rule }) => (
        <Notice key={`${rule} ${from}`} tone="critical">
          {t('log.overBy', { duration: formatHours(overS * 1000), clause })} ·{' '}
          {homeTime(Date.parse(from), day.timeZone)}
        </Notice>
      ))}
      {toCorrect(day).length > 0 && (
        <Notice tone="warning">
          {t('log.formErrors')}
          <ul className={styles.bullets}>
            {toCorrect(day).map(error => (
              <li key={error.code}>{formErrorText(tOfLog, error)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {day.missing.length > 0 && (
        <p className={styles.quiet}>{t('log.missing', { list: listOf(missingWords(tOfLog, day)) })}</p>
      )}
      {inDay.length > 0 && (
        <Notice>
          {t('log.pending', { count: inDay.length })}
          <ul className={styles.bullets}>
            {inDay.map(({ action, at, id }) => (
              <li key={id}>
                {homeTime(Date.parse(at), day.timeZone)} · {entryWords(t, action, duty)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {mayCertify && (
        <Button
          variant="primary"
          size="large"
          wide
          icon={<IconSignature size={20} stroke={1.75} aria-hidden />}
          onClick={() => open('certify')}
        >
          {t('log.certifyDay')}
        </Button>
      )}
      <Records
        day={day}
        onEdit={record => setOpened({ kind: 'edit', record })}
        onRemark={record => setOpened({ kind: 'remark', record })}
        {...(duty.vehicle?.coDriver && {
          onHandOver: ({ id }: ShownRecord) => void run({ kind: 'hand-over', record: id }, t('team.handOverSaved')),
        })}
      />
      <Button
        size="large"
        wide
        icon={<IconPlus size={20} stroke={1.75} aria-hidden />}
        onClick={() => setOpened({ kind: 'add' })}
      >
        {t('log.add')}
      </Button>
      <Dialog
        open={opened !== null}
        onClose={() => setOpened(null)}
        title={t(opened?.kind === 'remark' ? 'edit.remarkTitle' : opened?.kind === 'edit' ? 'edit.title' : 'edit.add')}
        closeLabel={t('change.close')}
      >
        {opened?.kind === 'remark' && <RemarkSheet record={opened.record} onClose={() => setOpened(null)} />}
        {opened !== null && opened.kind !== 'remark' && (
          <EditSheet
            duty={duty}
            day={day}
            record={opened.kind === 'edit' ? opened.record : null}
            onClose={() => setOpened(null)}
          />
        )}
      </Dialog>
    </div>
  );
}

function CertificationChip({ day, isToday }: { readonly day: LogDay; readonly isToday: boolean }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver']);
  const { changedSince, count, lastAt } = day.certification;
  if (changedSince) return <Chip tone="warning">{t('log.changedSince')}</Chip>;
  if (count > 0 && lastAt !== null) {
    return <Chip tone="ok">{t('log.certified', { time: homeMoment(Date.parse(lastAt), day.timeZone) })}</Chip>;
  }
  return isToday ? null : <Chip tone="warning">{t('log.notCertified')}</Chip>;
}
