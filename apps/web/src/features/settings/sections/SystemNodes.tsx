import { listNodes, type Node } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { formatDuration } from '../../../format/duration.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/view.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import rows from '../../../ui/JobRow.module.css';
import { Card } from '../SectionFrame.tsx';

/** Polled, because account change feeds don't include the installation's servers. */
const EVERY_MS = 10_000;
/** As the server's own check: it matters from here on. */
const CLOCK_OFF_MS = 2000;

/** The servers of an installation that has several; nothing where there is only one. */
export function SystemNodes() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({
    queryKey: ['nodes'],
    queryFn: () => call(listNodes),
    refetchInterval: EVERY_MS,
  });
  // Most installations have one server: nothing comes and goes there.
  if (!error && !data?.length) return null;
  return (
    <Card title={t('system.nodes.title')} text={t('system.nodes.text')}>
      {data ? (
        <ul className={rows.list}>
          {data.map(node => (
            <NodeRow key={node.id} node={node} />
          ))}
        </ul>
      ) : (
        <ReadState error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  );
}

function NodeRow({ node }: { readonly node: Node }) {
  const { t } = useTranslation('settings');
  const now = useNow();
  const { address, busAwaySince, clockAheadMs, isRunning, isThis, leads, name, seenAt, startedAt, version } = node;
  const moment = (iso: string): string => formatMoment(Date.parse(iso), now);
  const owns = t('system.nodes.owns', {
    vehicles: t('system.nodes.vehicles', { count: node.vehicles }),
    trackers: t('system.nodes.trackers', { count: node.trackers }),
  });
  const bus = busAwaySince
    ? t('system.nodes.busAway', { took: formatDuration(now - Date.parse(busAwaySince)) })
    : t('system.nodes.busWell');
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <b>{name}</b>
        <Chip tone={isRunning ? 'ok' : 'critical'}>{t(isRunning ? 'system.nodes.running' : 'system.nodes.lost')}</Chip>
        {leads && <Chip tone="info">{t('system.nodes.leads')}</Chip>}
        {isThis && <Chip tone="neutral">{t('system.nodes.this')}</Chip>}
        <small>{t('system.nodes.facts', { version, since: moment(startedAt), address })}</small>
        {isRunning ? (
          <small>
            {owns} · {bus}
          </small>
        ) : (
          <small>{t('system.nodes.lostFor', { time: moment(seenAt) })}</small>
        )}
        {isRunning && Math.abs(clockAheadMs) > CLOCK_OFF_MS && (
          <small>{t('system.nodes.clock', { took: formatDuration(Math.abs(clockAheadMs)) })}</small>
        )}
        <code>{t('system.nodes.id', { id: node.id.slice(0, 8) })}</code>
      </div>
    </li>
  );
}
