import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import styles from './SignedInUser.module.css';

export function SignedInUser() {
  const { t } = useTranslation('shell');
  const me = useSession(session => session.me);
  if (!me) return null;
  return (
    <div className={styles.who} role="presentation">
      <b>{me.displayName}</b>
      <span>
        {t(`role.${me.role}`)}
        {me.readOnly && ` · ${t('account.readOnly')}`}
      </span>
    </div>
  );
}
