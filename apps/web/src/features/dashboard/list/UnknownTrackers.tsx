import { IconBroadcast, IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAge } from '../../../format/duration.ts';
import { useNow } from '../../../live/view.ts';
import { protocolName } from '../../../vehicles/protocol-name.ts';
import { useUnknownTrackers } from '../../../vehicles/use-unknown-trackers.ts';
import styles from './UnknownTrackers.module.css';

/** Trackers that report here but belong to no vehicle. Only operators of this installation see them. */
export function UnknownTrackers({ onAdd }: { readonly onAdd: (imei: string) => void }) {
  const { t } = useTranslation('dashboard');
  const trackers = useUnknownTrackers();
  const nowMs = useNow();
  const [open, setOpen] = useState(false);
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
