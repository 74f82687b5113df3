import { AUDIT_ACTIONS, type AuditEntry, exportAudit, listAudit } from '@milepost/contract';
import { IconDownload } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { download } from '../../../base/download.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatDate, isoDateOf } from '../../../format/date.ts';
import { formatClock } from '../../../format/time.ts';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { SectionFrame } from '../SectionFrame.tsx';
import styles from './AuditSection.module.css';
import { daysAsked } from './audit-days.ts';

/** The part of an action before the dot: the kinds of things that have a history. */
const AREAS = [...new Set(AUDIT_ACTIONS.map(action => action.split('.')[0] ?? action))];

/** Who did what, to what and from where, newest first. Entries are never changed or removed. */
export function AuditSection() {
  const { t } = useTranslation(['settings', 'registry']);
  const [q, setQ] = useState('');
  const [action, setAction] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const query = useDeferredValue({
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(action !== '' && { action }),
    ...daysAsked(from, to),
  });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ pageParam }) => call(listAudit, { query: { ...query, ...(pageParam && { before: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
  });
  const save = useMutation({
    mutationFn: async () => download(await call(exportAudit, { query }), 'audit.csv'),
    onError: cause => toast(describeError(cause).message, 'error'),
  });
  const entries = data?.pages.flatMap(page => page.entries);
  const clear = () => {
    setQ('');
    setAction('');
    setFrom('');
    setTo('');
  };
  return (
    <SectionFrame title={t('sections.audit')} note={t('audit.note')}>
      <div className={styles.filters}>
        <SearchBox
          value={q}
          onSearch={setQ}
          label={t('audit.search')}
          placeholder={t('audit.search')}
          clearLabel={t('registry:clearSearch')}
        />
        <SelectField
          label={t('audit.area')}
          value={action}
          onChange={event => setAction(event.currentTarget.value)}
          options={[{ value: '', label: t('audit.everything') }, ...AREAS.map(area => ({ value: area, label: area }))]}
        />
        <TextField
          type="date"
          label={t('audit.from')}
          value={from}
          max={to}
          onChange={event => setFrom(event.currentTarget.value)}
        />
        <TextField
          type="date"
          label={t('audit.to')}
          value={to}
          min={from}
          onChange={event => setTo(event.currentTarget.value)}
        />
        <Button
          busy={save.isPending}
          onClick={() => save.mutate()}
          icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
        >
          {t('audit.export')}
        </Button>
      </div>
      {entries && entries.length > 0 ? (
        <div className={styles.scroller}>
          <table className={styles.table}>
            <thead>
              <tr>
                {(['when', 'who', 'what', 'from'] as const).map(column => (
                  <th key={column} scope="col">
                    {t(`audit.columns.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entries.map(entry => (
                <Row key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <RegistryState
          total={entries && (Object.keys(query).length > 0 ? 1 : 0)}
          error={error}
          onRetry={() => void refetch()}
          onClear={clear}
          empty={{ title: t('audit.none'), text: t('audit.noneText') }}
        />
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('audit.more')}
          </Button>
        </div>
      )}
    </SectionFrame>
  );
}

function Row({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation(['settings', 'audit']);
  const at = Date.parse(entry.at);
  return (
    <tr>
      <td>
        {formatDate(isoDateOf(at))}
        <small>{formatClock(at)}</small>
      </td>
      <td>
        {entry.userName ?? t('server')}
        <small>{t(`audit.via.${entry.via}`)}</small>
      </td>
      <td>
        {t(`audit:did.${entry.action}`, { target: entry.targetName ?? t('audit:nobody') })}
        {entry.sentence && <small className={styles.sentence}>{entry.sentence}</small>}
        {changesOf(entry).map(({ field, from, to }) => (
          <small key={field}>
            {from === null
              ? t('audit.set', { field, to: shown(to) })
              : t('audit.change', { field, from: shown(from), to: shown(to) })}
          </small>
        ))}
      </td>
      <td>
        <code>{entry.address}</code>
      </td>
    </tr>
  );
}

/** What the sentence of a new rule says isn't listed once more. */
const changesOf = ({ action, changes, sentence }: AuditEntry): AuditEntry['changes'] =>
  sentence !== null && action === 'rule.created' ? changes.filter(({ field }) => !IN_SENTENCE.has(field)) : changes;

const IN_SENTENCE: ReadonlySet<string> = new Set([
  'severity',
  'trigger',
  'geofenceIds',
  'where',
  'vehicles',
  'when',
  'conditions',
  'repeatMinutes',
  'mailTo',
  'escalation',
]);

const shown = (value: string | number | boolean | null): string =>
  value === null || value === '' ? '–' : String(value);
