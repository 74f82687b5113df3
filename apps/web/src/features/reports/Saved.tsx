import { may } from '@milepost/contract';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { toast } from '../../base/toasts/toast.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import styles from './Catalogue.module.css';
import { removeSaved, useSaved } from './saved.ts';
import { savedLink } from './saved-query.ts';

/** Saved reports, the user's own and shared ones, above the list of reports. */
export function Saved() {
  const { t } = useTranslation('reports');
  const saved = useSaved();
  const me = useSession(session => session.me);
  if (saved.length === 0) return null;
  const remove = (id: string): void => {
    removeSaved(id).catch((error: unknown) => toast(describeError(error).message, 'error'));
  };
  return (
    <section>
      <h2>{t('saved.list')}</h2>
      <ul>
        {saved.map(({ id, name, query, shared }) => (
          <li key={id} className={styles.saved}>
            <Link to={savedLink(query)}>{name}</Link>
            {me !== null && may(me, shared ? 'views.share' : 'profile.write') && (
              <IconButton label={t('saved.remove', { name })} tooltip="right" onClick={() => remove(id)}>
                <IconTrash size={15} stroke={1.75} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
