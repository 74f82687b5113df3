import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import styles from './ServiceStatus.module.css';

const REFRESH_MS = 30_000;

/** The server's own health check: 200 if database, broker and ingest work, 503 if one doesn't. */
async function readHealth(): Promise<'running' | 'troubled'> {
  const { ok } = await fetch('/health', { cache: 'no-store' });
  return ok ? 'running' : 'troubled';
}

/** One line on the sign-in page, so that users don't doubt their password when the server has a problem. */
export function ServiceStatus() {
  const { t } = useTranslation('login');
  const { data, isError } = useQuery({
    queryKey: ['health', 'status'],
    queryFn: readHealth,
    refetchInterval: REFRESH_MS,
    retry: false,
    networkMode: 'always',
  });
  const status = isError ? 'unreachable' : data;
  const Icon = status === 'running' ? IconCircleCheck : IconAlertTriangle;
  return (
    <span className={styles.status} data-status={status} role="status">
      {status && (
        <>
          <Icon size={15} stroke={1.75} aria-hidden />
          {t(`status.${status}`)}
        </>
      )}
    </span>
  );
}
