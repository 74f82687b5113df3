import { type AuditEntry, TRACKERS } from '@milepost/contract';
import { IconArrowRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatDay, formatTime } from '../format/time.ts';
import hidden from '../ui/hidden.module.css';
import styles from './Changes.module.css';

type Change = AuditEntry['changes'][number];

/** These IDs mean nothing to users, so the line says only that the field changed. */
const isId = ({ field }: Change): boolean => /^(folder|department|usual_driver|user|custom_role)_id$/.test(field);

const isInstant = (value: Change['from']): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(value);

/** Fields that say until when something is muted. */
const MUTED_UNTIL = /^mute(ForEveryone|ForMe|OfAlerts|OfRule|OfKind)$/;

/** The changed fields with their values before and after. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const { t, i18n } = useTranslation('audit');
  const key = (field: string) => `fields.${field}` as 'fields.name';
  // A newer server may have fields that this app has no text for.
  const nameOf = (field: string): string => (i18n.exists(`audit:${key(field)}`) ? t(key(field)) : field);
  const shown = (value: Change['from'], field: string): string => {
    if (value === null || value === '' || value === '[]') return t('nothing');
    if (isInstant(value)) return `${formatDay(Date.parse(value))} ${formatTime(Date.parse(value))}`;
    if (MUTED_UNTIL.test(field)) return t('untilEnded');
    if (field === 'protocol')
      return new Map<unknown, { title: string }>(Object.entries(TRACKERS)).get(value)?.title ?? String(value);
    return typeof value === 'boolean' ? t(value ? 'yes' : 'no') : String(value);
  };
  return (
    <ul className={styles.changes}>
      {changes.map(change => (
        <li key={change.field}>
          <span>{nameOf(change.field)}</span>
          {isId(change) ? (
            <span>{t('changed')}</span>
          ) : (
            <span>
              <del>{shown(change.from, change.field)}</del> <IconArrowRight size={12} stroke={1.75} aria-hidden />
              <span className={hidden.hidden}> {t('to')} </span> <ins>{shown(change.to, change.field)}</ins>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
