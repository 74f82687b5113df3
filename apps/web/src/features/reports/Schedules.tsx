import { deleteReportSchedule, listReportSchedules, type ReportSchedule } from '@milepost/contract';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import styles from '../../ui/JobRow.module.css';
import { momentWords } from './cell-words.ts';
import { clockOf, ruleDay } from './rule-words.ts';

/** The change feed reloads queries with this key. */
export const SCHEDULES = ['report-schedules'];

/** The user's schedules, the next one due first. */
export function Schedules() {
  const { t } = useTranslation('reports');
  const { data: schedules = [] } = useQuery({ queryKey: SCHEDULES, queryFn: () => call(listReportSchedules) });
  if (schedules.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('schedule.list')}>
      {schedules.map(schedule => (
        <Row key={schedule.id} schedule={schedule} />
      ))}
    </ul>
  );
}

function Row({ schedule }: { readonly schedule: ReportSchedule }) {
  const { t } = useTranslation('reports');
  const queries = useQueryClient();
  const { attaches, format, id, name, nextAt, period, recipients, rule, zone } = schedule;
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(deleteReportSchedule, { params: { id } }),
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: SCHEDULES }),
  });
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <b>{name}</b>
        <small>
          {t(`schedule.rule.${rule.every}`)} {ruleDay(rule)} {clockOf(rule.minute)} · {t(`when.${period}`)} ·{' '}
          {format.toUpperCase()}
          {attaches && ` · ${t('schedule.attached')}`}
        </small>
        <small>
          {t('schedule.next', { time: momentWords(nextAt, zone) })} · {recipients.map(each => each.name).join(', ')}
        </small>
      </div>
      <div className={styles.actions}>
        <IconButton
          bordered
          label={t('schedule.end', { name })}
          tooltip="left"
          aria-busy={isPending || undefined}
          onClick={() => mutate()}
        >
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}
