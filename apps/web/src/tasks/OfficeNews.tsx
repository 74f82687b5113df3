import { useTranslation } from 'react-i18next';
import type { OutboxItem } from '../phone/outbox.ts';
import { noteRead, useOutbox } from '../phone/phone-outbox.ts';
import { Button } from '../ui/Button.tsx';
import styles from './MyTasks.module.css';

/** What the office changed while the driver had the task, and which steps the server refused because of that. */
export function OfficeNews() {
  const { t } = useTranslation('tasks');
  const changes = useOutbox(state => state.changes);
  const refused = useOutbox(state => state.refused);
  if (changes.length === 0 && refused.length === 0) return null;
  return (
    <section className={styles.news} aria-label={t('news.title')}>
      <h3>{t('news.title')}</h3>
      <ul>
        {changes.map(({ fields, id, reason, title, what }) => (
          <li key={id}>
            {what === 'changed'
              ? t('news.changed', { title, what: fields.map(field => t(`news.field.${field}`)).join(', ') })
              : t(`news.${what}`, { title })}
            {reason && ` ${t('news.reason', { reason })}`}
          </li>
        ))}
        {refused.map(item => (
          <li key={item.nth}>
            <Refused item={item} />
          </li>
        ))}
      </ul>
      <Button onClick={() => void noteRead()}>{t('news.read')}</Button>
    </section>
  );
}

/** Refusals caused by changes that the office made. */
const BY_OFFICE = new Set(['not-found', 'task-step', 'task-over']);

function Refused({ item: { reason, refusal, what } }: { readonly item: OutboxItem }) {
  const { t } = useTranslation('tasks');
  const name =
    what.kind === 'task-step'
      ? t('news.step', { step: t(`state.${what.step}`), title: what.title })
      : what.kind === 'task-proof'
        ? t('news.proof', { what: t(what.proof), title: what.title })
        : t('news.inspectionPhoto');
  const why =
    what.kind !== 'inspection-photo' && refusal !== null && BY_OFFICE.has(refusal)
      ? t('news.office')
      : t('news.because', { reason });
  return (
    <>
      {t('news.notTaken', { what: name })} {why}
    </>
  );
}
