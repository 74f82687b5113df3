import { listUnknownTrackers, may } from '@milepost/contract';
import { IconBroadcast, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { useSession } from '../../../app/session/session.ts';
import { formatAge } from '../../../format/duration.ts';
import { useNow } from '../../../live/use-now.ts';
import { protocolName } from '../../../vehicles/protocol-name.ts';
import styles from './UnknownTrackers.module.css';

/** Trackers are pointed here by hand: nobody waits for them by the second. */
const ASK_EVERY_MS = 10_000;

/** Trackers that report here and belong to no vehicle, for those who run this installation. */
export function UnknownTrackers({ onAdd }: { readonly onAdd: (imei: string) => void }) {
  const { t } = useTranslation('dashboard');
  const me = useSession(session => session.me);
  const nowMs = useNow();
  const [open, setOpen] = useState(false);
  const mayRead = me?.account.operator === true && may(me, 'trackers.unknown.read');
  const { data: trackers } = useQuery({
    queryKey: ['unknown-trackers'],
    queryFn: () => call(listUnknownTrackers),
    enabled: mayRead,
    refetchInterval: ASK_EVERY_MS,
  });
  if (!trackers || trackers.length === 0) return null;
  const Chevron = open ? IconChevronUp : IconChevronDown;
  return (
    <section className={styles.root}>
      <button type="button" className={styles.head} aria-expanded={open} onClick={() => setOpen(!open)}>
        <IconBroadcast size={16} stroke={1.75} aria-hidden />
        <b>{t('unknown.title', { count: trackers.length })}</b>
        <Chevron size={16} stroke={1.75} aria-hidden />
      </button>
      {open && (
        <>
          <p>{t('unknown.text')}</p>
          <ul>
            {trackers.map(({ imei, protocol, lastSeenAt }) => (
              <li key={imei}>
                <span className={styles.tracker}>
                  <span className={styles.imei}>{imei}</span>
                  <span className={styles.seen}>
                    {t('unknown.seen', {
                      protocol: protocolName(protocol),
                      age: formatAge(nowMs - Date.parse(lastSeenAt)),
                    })}
                  </span>
                </span>
                <button
                  type="button"
                  className={styles.add}
                  aria-label={t('unknown.addNamed', { imei })}
                  onClick={() => onAdd(imei)}
                >
                  {t('unknown.add')}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
