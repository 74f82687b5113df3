import type { TaskStop } from '@milepost/contract';
import { IconNavigation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { navigationUrl } from '../format/navigation-url.ts';
import styles from './MyTasks.module.css';
import { useTaskWords } from './task-words.ts';

/** Digits with what people write between them: `+1 (312) 555-0143`. */
const PHONE = /^\+?[\d\s().-]{7,20}$/;

/** Where a task goes, stop by stop, each with its window, whom to call, and the way in the phone's navigation app. */
export function TaskStops({ stops, nowMs }: { readonly stops: readonly TaskStop[]; readonly nowMs: number }) {
  const { t } = useTranslation('tasks');
  const words = useTaskWords();
  if (stops.length === 0) return null;
  return (
    <ol className={styles.stops} aria-label={t('mine.stops')}>
      {stops.map(({ contact, lat, lon, name, notes, windowFrom = null, windowTo = null }) => (
        <li key={`${name} ${lat} ${lon}`}>
          <span>
            <b>{name}</b>
            {(windowFrom !== null || windowTo !== null) && (
              <span className={styles.more}>{words.window({ dueFrom: windowFrom, dueTo: windowTo }, nowMs)}</span>
            )}
            {contact && (
              <span className={styles.more}>
                {PHONE.test(contact) ? <a href={`tel:${contact.replace(/[^+\d]/g, '')}`}>{contact}</a> : contact}
              </span>
            )}
            {notes && <span className={styles.more}>{notes}</span>}
          </span>
          <a
            className={styles.directions}
            href={navigationUrl({ lat, lon }, name, navigator.userAgent)}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('mine.directionsTo', { place: name })}
          >
            <IconNavigation size={20} stroke={1.75} aria-hidden />
            {t('mine.directions')}
          </a>
        </li>
      ))}
    </ol>
  );
}
