import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { useSession } from '../../../base/session/session.ts';
import { signOut } from '../../../base/session/sign-out.ts';
import { paths, returnPath } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Mark } from '../../../ui/Mark.tsx';
import { PasswordCard } from '../security/PasswordCard.tsx';
import { SecondFactorCards } from '../security/SecondFactorCards.tsx';
import { useSecondFactor } from '../security/SecuritySection.tsx';
import styles from './WelcomePage.module.css';

/** `/welcome`: what the user must do before using the app: choose their own password, or set up a second factor. */
export function Component() {
  const { t } = useTranslation(['profile', 'shell']);
  const { search } = useLocation();
  const duty = useSession(session => session.me?.duty);
  // Nothing left to do: go on as after every sign-in.
  if (duty === null) return <Navigate to={paths.login(returnPath(search))} replace />;
  return (
    <main className={styles.page}>
      <title>{t('shell:appTitle', { page: t('welcome.title') })}</title>
      <header className={styles.head}>
        <span className={styles.tile}>
          <Mark height={24} />
        </span>
        <Button variant="text" onClick={signOut}>
          {t('shell:account.signOut')}
        </Button>
      </header>
      <h1>{t('welcome.title')}</h1>
      {duty && <p>{t(`welcome.${duty}`)}</p>}
      {duty === 'change-password' && <PasswordCard />}
      {duty === 'set-up-second-factor' && <SecondFactor />}
    </main>
  );
}

function SecondFactor() {
  const { data } = useSecondFactor();
  return data ? <SecondFactorCards factors={data} /> : null;
}
