import type { EnrolledPhone } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatDay, formatTime } from '../format/time.ts';
import { Button } from '../ui/Button.tsx';
import { Chip } from '../ui/Chip.tsx';
import styles from './PhoneList.module.css';

interface Props {
  readonly phones: readonly EnrolledPhone[];
  readonly busy: boolean;
  /** Undefined: only to look at. */
  readonly onEnd?: ((id: string) => void) | undefined;
}

const moment = (at: string): string => `${formatDay(Date.parse(at))} ${formatTime(Date.parse(at))}`;

/** The phones that sign a driver's entries, and what is wrong with what they signed. */
export function PhoneList({ phones, busy, onEnd }: Props) {
  const { t } = useTranslation('logbook');
  return (
    <ul className={styles.phones} aria-label={t('phones.title')}>
      {phones.map(({ endedAt, enrolledAt, entries, findings, id, lastAt, name }) => (
        <li key={id}>
          <b>{name}</b>
          <span>
            {endedAt === null
              ? t('phones.since', { time: moment(enrolledAt) })
              : t('phones.ended', { time: moment(endedAt) })}
            {' · '}
            {t('phones.entries', { count: entries })}
            {lastAt !== null && ` · ${t('phones.last', { time: moment(lastAt) })}`}
          </span>
          {findings.map(({ at, entry, finding }) => (
            <Chip key={entry} tone="critical">
              {t(`phones.finding.${finding}`)} {moment(at)}
            </Chip>
          ))}
          {endedAt === null && onEnd && (
            <Button busy={busy} aria-label={t('phones.endOf', { name })} onClick={() => onEnd(id)}>
              {t('phones.end')}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
