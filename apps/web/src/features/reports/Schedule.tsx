import {
  createReportSchedule,
  may,
  REPORT_FORMATS,
  REPORT_PERIODS,
  REPORT_RULES,
  type Report,
  type ReportFormat,
  type ReportPeriod,
  type ReportRule,
  readMyUsers,
} from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { listOf } from '../../format/locale.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { ChoiceList } from '../../ui/ChoiceList.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { isFor } from './presets.ts';
import { apiQuery, type ReportAddress } from './report-url.ts';
import { clockOf, dayOptions, minuteOf, weekdayOptions } from './rule-words.ts';
import styles from './Schedule.module.css';
import { SCHEDULES, Schedules } from './Schedules.tsx';

interface Props {
  readonly report: Report;
  readonly address: ReportAddress;
  readonly zone: string;
  readonly onClose: () => void;
}

const SIX = 360;

/** Schedules this report, and shows its schedules. */
export function Schedule({ report, address, zone, onClose }: Props) {
  const { t } = useTranslation('reports');
  return (
    <Dialog open onClose={onClose} title={t('schedule.title')} subtitle={t('schedule.text')} closeLabel={t('close')}>
      <NewSchedule report={report} address={address} zone={zone} onClose={onClose} />
      <Schedules />
    </Dialog>
  );
}

function NewSchedule({ report, address, zone, onClose }: Props) {
  const { t } = useTranslation('reports');
  const queries = useQueryClient();
  const me = useSession(session => session.me);
  const mayChoose = me !== null && may(me, 'users.read');
  const { data: users = [] } = useQuery({
    queryKey: ['my-users'],
    queryFn: () => call(readMyUsers, { query: {} }),
    enabled: mayChoose,
  });
  const [name, setName] = useState(report.title);
  const [period, setPeriod] = useState<ReportPeriod>(report.looksAhead ? 'nextThirty' : 'yesterday');
  const [format, setFormat] = useState<ReportFormat>('xlsx');
  const [every, setEvery] = useState<ReportRule['every']>('day');
  const [weekday, setWeekday] = useState(1);
  const [day, setDay] = useState(1);
  const [minute, setMinute] = useState(SIX);
  const [onlyIfNotEmpty, setOnly] = useState(false);
  const [attaches, setAttaches] = useState(false);
  const [others, setOthers] = useState<readonly string[]>([]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const { from: _, to: _to, language: _language, ...query } = apiQuery(address, 'en-US');
      const rule: ReportRule =
        every === 'week' ? { every, weekday, minute } : every === 'month' ? { every, day, minute } : { every, minute };
      const recipients = me === null || others.length === 0 ? [] : [me.id, ...others];
      return call(createReportSchedule, {
        body: { name, key: report.key, format, period, rule, onlyIfNotEmpty, attaches, recipients, query },
      });
    },
    onSuccess: schedule => {
      toast(t('schedule.made', { name: schedule.name }));
      void queries.invalidateQueries({ queryKey: SCHEDULES });
      onClose();
    },
  });
  // The server can't email them, and doesn't report that.
  const withoutEmail = [me, ...users.filter(({ id }) => others.includes(id))].flatMap(one =>
    one !== null && one.email === null ? [one.displayName] : [],
  );
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault();
        if (!isPending) mutate();
      }}
    >
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <TextField
        label={t('schedule.name')}
        value={name}
        maxLength={40}
        required
        data-autofocus
        onChange={event => setName(event.currentTarget.value)}
      />
      <div className={styles.row}>
        <SelectField
          label={t('schedule.every')}
          value={every}
          options={REPORT_RULES.map(value => ({ value, label: t(`schedule.rule.${value}`) }))}
          onChange={event => setEvery(event.currentTarget.value as ReportRule['every'])}
        />
        {every === 'week' && (
          <SelectField
            label={t('schedule.weekday')}
            value={String(weekday)}
            options={weekdayOptions()}
            onChange={event => setWeekday(Number(event.currentTarget.value))}
          />
        )}
        {every === 'month' && (
          <SelectField
            label={t('schedule.day')}
            value={String(day)}
            options={dayOptions()}
            onChange={event => setDay(Number(event.currentTarget.value))}
          />
        )}
        <TextField
          type="time"
          label={t('schedule.at')}
          hint={t('zone', { zone: zone.replaceAll('_', ' ') })}
          value={clockOf(minute)}
          required
          onChange={event => setMinute(minuteOf(event.currentTarget.value) ?? minute)}
        />
      </div>
      <div className={styles.row}>
        <SelectField
          label={t('schedule.period')}
          value={period}
          options={REPORT_PERIODS.filter(value => isFor(report, value)).map(value => ({
            value,
            label: t(`when.${value}`),
          }))}
          onChange={event => setPeriod(event.currentTarget.value as ReportPeriod)}
        />
        <SelectField
          label={t('schedule.format')}
          value={format}
          options={REPORT_FORMATS.map(value => ({ value, label: value.toUpperCase() }))}
          onChange={event => setFormat(event.currentTarget.value as ReportFormat)}
        />
      </div>
      {users.length > 0 && (
        <ChoiceList title={t('schedule.recipients')}>
          <p>{t('schedule.recipientsText')}</p>
          {users.map(({ id, displayName }) => (
            <Checkbox
              key={id}
              checked={others.includes(id)}
              onChange={event =>
                setOthers(event.currentTarget.checked ? [...others, id] : others.filter(other => other !== id))
              }
            >
              {displayName}
            </Checkbox>
          ))}
        </ChoiceList>
      )}
      {withoutEmail.length > 0 && (
        <Notice tone="warning">{t('schedule.withoutEmail', { names: listOf(withoutEmail) })}</Notice>
      )}
      <Checkbox checked={onlyIfNotEmpty} onChange={event => setOnly(event.currentTarget.checked)}>
        {t('schedule.onlyIfNotEmpty')}
      </Checkbox>
      <Checkbox checked={attaches} onChange={event => setAttaches(event.currentTarget.checked)}>
        {t('schedule.attaches')}
      </Checkbox>
      <DialogActions>
        <Button onClick={onClose}>{t('runs.cancel')}</Button>
        <Button type="submit" variant="primary" busy={isPending}>
          {t('schedule.make')}
        </Button>
      </DialogActions>
    </form>
  );
}
