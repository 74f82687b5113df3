import { may } from '@milepost/contract';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSession } from '../../../base/session/session.ts';
import { formatClock } from '../../../format/time.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { BackupCard } from '../backup/BackupCard.tsx';
import { Card, SectionFrame } from '../SectionFrame.tsx';
import { Jobs, RepeatedJobs } from './SystemJobs.tsx';
import { SystemNodes } from './SystemNodes.tsx';
import styles from './SystemSection.module.css';
import { UnknownFrames } from './UnknownFrames.tsx';

/** The answer of `/health`, both healthy (200) and unhealthy (503). */
const healthSchema = z.object({
  status: z.string(),
  version: z.string(),
  checks: z.record(z.string(), z.string()),
});
const EVERY_MS = 10_000;
const PLACES = [
  ['docs', '/docs'],
  ['openapi', '/openapi.json'],
  ['metrics', '/metrics'],
  ['health', '/health'],
] as const;

/** The installation's health checks, repeated every 10 seconds. */
export function SystemSection() {
  const { t } = useTranslation('settings');
  const me = useSession(session => session.me);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['health', 'checks'],
    queryFn: async () => healthSchema.parse(await (await fetch('/health')).json()),
    refetchInterval: EVERY_MS,
  });
  if (!data) {
    return (
      <SectionFrame title={t('sections.system')}>
        <ReadState error={error} onRetry={() => void refetch()} />
      </SectionFrame>
    );
  }
  return (
    <SectionFrame title={t('sections.system')} note={t('system.asOf', { time: formatClock(dataUpdatedAt) })}>
      <Card title={t('system.health', { version: data.version })}>
        <dl className={styles.checks}>
          {Object.entries(data.checks).map(([name, state]) => (
            <div key={name}>
              <dt>{t(`system.checks.${name}` as 'system.checks.database', { defaultValue: name })}</dt>
              <dd>
                <Chip tone={state === 'ok' ? 'ok' : 'critical'}>
                  {state === 'ok' ? t('system.well') : t('system.trouble')}
                </Chip>
                {state !== 'ok' && <span>{state}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      {me?.account.operator && may(me, 'settings.read') && <SystemNodes />}
      {me?.account.operator && may(me, 'owners.write') && <BackupCard />}
      {me && may(me, 'settings.read') && <Jobs canChange={may(me, 'settings.write')} />}
      {me?.account.operator && may(me, 'settings.read') && <RepeatedJobs canChange={may(me, 'settings.write')} />}
      <Card title={t('system.look')}>
        <ul className={styles.places}>
          {PLACES.map(([name, place]) => (
            <li key={place}>
              <a href={place} target="_blank" rel="noreferrer">
                <code>{place}</code>
                <IconExternalLink size={14} stroke={1.75} aria-hidden />
              </a>
              <span>{t(`system.places.${name}`)}</span>
            </li>
          ))}
        </ul>
      </Card>
      {me?.account.operator && may(me, 'trackers.unknown.read') && <UnknownFrames version={data.version} />}
    </SectionFrame>
  );
}
