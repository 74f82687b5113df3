import type { Credentials } from '@milepost/contract';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { useClientSettings } from '../../base/client-settings.ts';
import { useSession } from '../../base/session/session.ts';
import { isRecovery, linkToken, paths, returnPath } from '../../paths.ts';
import { buttonLook } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { FrontDoor, StepHead } from './FrontDoor.tsx';
import styles from './LoginPage.module.css';
import { SignInForm } from './SignInForm.tsx';
import { StartPageRedirect } from './StartPageRedirect.tsx';

// Rarely needed, so not part of what every sign-in loads.
const ConfirmEmail = lazyChunk(async () => (await import('./ConfirmEmail.tsx')).ConfirmEmail);
const FirstOwner = lazyChunk(async () => (await import('./FirstOwner.tsx')).FirstOwner);
const Invitation = lazyChunk(async () => (await import('./Invitation.tsx')).Invitation);
const Recovery = lazyChunk(async () => (await import('./recovery/Recovery.tsx')).Recovery);
const SecondFactorStep = lazyChunk(async () => (await import('./SecondFactorStep.tsx')).SecondFactorStep);

/** User name of the demo fleet's owner; its password is printed by the server and never sent. */
const DEMO_USER = 'demo';

/** `/login`, open to everyone [R2.02]: sign-in, second factor, recovery, and pages for links from e-mails. */
export function Component() {
  const { t } = useTranslation('login');
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const { token, end } = useSession();
  const { data: settings } = useClientSettings();
  /** Name and password were right; now the second factor is needed. */
  const [known, setKnown] = useState<Credentials | null>(null);
  const [recovered, setRecovered] = useState<string | null>(null);
  // Also for signed-in users: the link may be for someone else at the same screen.
  const invitation = linkToken(hash, 'invitation');
  if (invitation !== null) return <Invitation key={invitation} token={invitation} />;
  const email = linkToken(hash, 'email');
  if (email !== null) return <ConfirmEmail key={email} token={email} />;
  const owner = linkToken(hash, 'owner');
  if (owner !== null) return <FirstOwner key={owner} token={owner} />;
  if (token !== null) return <StartPageRedirect search={search} />;

  if (isRecovery(search)) {
    return (
      <FrontDoor title={t('recovery.title')}>
        <Recovery
          onDone={userName => {
            setRecovered(userName);
            void navigate(paths.login(returnPath(search)), { replace: true });
          }}
        />
      </FrontDoor>
    );
  }
  if (known) {
    return (
      <FrontDoor title={t('secondFactor.title')}>
        <SecondFactorStep credentials={known} onBack={() => setKnown(null)} />
      </FrontDoor>
    );
  }
  return (
    <FrontDoor title={t('title')}>
      <StepHead title={t('title')} lead={t('lead')} />
      {recovered !== null && (
        <Notice tone="ok" role="status" className={styles.notice ?? ''}>
          {t('recovery.done')}
        </Notice>
      )}
      {settings?.needsOwner && (
        <Notice className={styles.notice ?? ''}>{t('owner.needed', { file: 'owner-link' })}</Notice>
      )}
      {end === 'expired' && recovered === null && <Notice className={styles.notice ?? ''}>{t('expired')}</Notice>}
      {settings?.signOn && (
        <p className={styles.notice}>
          <Link to={paths.signOn(returnPath(search))} className={buttonLook({ size: 'large', wide: true })}>
            {settings.signOn}
          </Link>
        </p>
      )}
      <SignInForm userName={recovered ?? ''} onSecondFactor={setKnown} />
      {settings?.demoVisit && (
        <div className={styles.demo}>
          <IconPlayerPlay size={20} stroke={1.75} aria-hidden />
          <p>
            <b>{t('demoTitle')}</b>
            <br />
            {settings.demo && t('demoHint', { user: DEMO_USER })} <Link to={paths.demo()}>{t('tryDemo')}</Link>
          </p>
        </div>
      )}
    </FrontDoor>
  );
}
