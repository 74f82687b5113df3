import { listAudit } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AuditLine } from '../../audit/AuditLine.tsx';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { useFromNow } from '../../live/view.ts';
import { paths } from '../../paths.ts';
import { useMyUsers } from '../../people/my-users.ts';
import styles from './LatestChanges.module.css';

const SHOWN = 5;
/** Entries to load; enough that some are left without sign-ins and sign-outs. */
const READ = 60;
const DAY_MS = 86_400_000;

/** The latest changes from the audit log, without sign-ins and sign-outs. */
export function LatestChanges() {
  const { t } = useTranslation('users');
  const me = useSession(session => session.me);
  const users = useMyUsers(state => state.allMyUsers);
  const names = useMemo(
    () => new Map([...(me ? [me] : []), ...(users ?? [])].map(({ id, displayName }) => [id, displayName])),
    [me, users],
  );
  const today = useFromNow(now => Math.floor(now / DAY_MS) * DAY_MS);
  const { data } = useQuery({
    queryKey: ['audit', 'latest'],
    queryFn: () => call(listAudit, { query: { limit: READ } }),
    refetchInterval: 60_000,
  });
  const entries = data?.entries.filter(({ action }) => !action.startsWith('session.')).slice(0, SHOWN) ?? [];
  return (
    <section className={styles.changes} aria-labelledby="latest-changes">
      <header>
        <h2 id="latest-changes">{t('latest.title')}</h2>
        <Link to={paths.settings('audit')}>{t('latest.open')}</Link>
      </header>
      {entries.length > 0 ? (
        <ol>
          {entries.map(entry => (
            <AuditLine key={entry.id} entry={entry} nowMs={today} names={names} />
          ))}
        </ol>
      ) : (
        <p>{data && t('latest.none')}</p>
      )}
    </section>
  );
}
