import { Trans, useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useSession } from '../../base/session/session.ts';
import { paths } from '../../paths.ts';
import { buttonLook } from '../../ui/Button.tsx';
import styles from './NotFoundPage.module.css';
import { RoadEnds } from './RoadEnds.tsx';

/** Shown for every address that is not a page of the app [R2.17]. */
export function Component() {
  const { t } = useTranslation(['notFound', 'shell']);
  const { pathname } = useLocation();
  const signedIn = useSession(session => session.token !== null);
  return (
    <div className={styles.page}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <RoadEnds />
      <h1>{t('title')}</h1>
      <p>
        <Trans
          t={t}
          i18nKey="text"
          values={{ path: pathname }}
          components={{ path: <code className={styles.path} /> }}
        />
      </p>
      <Link className={buttonLook({ variant: 'primary' })} to={signedIn ? paths.dashboard() : paths.login()}>
        {signedIn ? t('dashboard') : t('signIn')}
      </Link>
    </div>
  );
}
