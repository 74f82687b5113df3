import { IconPlayerPlay } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { useClientSettings } from '../../app/client-settings.ts';
import { useSession } from '../../app/session/session.ts';
import { AppearanceMenu } from '../../app/shell/AppearanceMenu.tsx';
import { useMedia } from '../../app/use-media.ts';
import { returnPath } from '../../paths.ts';
import { Mark } from '../../ui/Mark.tsx';
import styles from './LoginPage.module.css';
import { ServiceStatus } from './ServiceStatus.tsx';
import { SignInForm } from './SignInForm.tsx';

const DuskMap = lazy(async () => ({ default: (await import('./DuskMap.tsx')).DuskMap }));

/** User name of the demo fleet's owner; its password is printed by the server and never sent. */
const DEMO_USER = 'demo';
const FACTS = ['live', 'kept', 'own'] as const;

/** `/login`, for everyone [R2.02]. Who is signed in already goes on to where they wanted. */
export function Component() {
  const { t } = useTranslation(['login', 'shell']);
  const { search } = useLocation();
  const { token, end } = useSession();
  const { data: settings } = useClientSettings();
  const wide = useMedia('(min-width: 64em)');
  if (token !== null) return <Navigate to={returnPath(search)} replace />;

  return (
    <main className={styles.page}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <section className={styles.side}>
        <div className={styles.brand}>
          <span className={styles.tile}>
            <Mark height={24} />
          </span>
          <b>{settings?.appName ?? 'Milepost'}</b>
          <AppearanceMenu bordered />
        </div>
        <div className={styles.middle}>
          <h1>{t('title')}</h1>
          <p className={styles.lead}>{t('lead')}</p>
          {end === 'expired' && <p className={styles.notice}>{t('expired')}</p>}
          <SignInForm />
          {settings?.demo && (
            <div className={styles.demo}>
              <IconPlayerPlay size={20} stroke={1.75} aria-hidden />
              <p>
                <b>{t('demoTitle')}</b>
                <br />
                {t('demoHint', { user: DEMO_USER })}
              </p>
            </div>
          )}
        </div>
        <div className={styles.foot}>
          <ServiceStatus />
          {settings && <span>{t('version', { name: settings.appName, version: settings.version })}</span>}
        </div>
      </section>
      {wide && (
        <aside className={styles.art} data-mantine-color-scheme="dark">
          <Suspense>
            <DuskMap label={t('art')} />
          </Suspense>
          <div className={styles.caption}>
            <p>{t('claim')}</p>
            <dl>
              {FACTS.map(fact => (
                <div key={fact}>
                  <dt>{t(`facts.${fact}.text`)}</dt>
                  <dd>{t(`facts.${fact}.figure`)}</dd>
                </div>
              ))}
            </dl>
          </div>
        </aside>
      )}
    </main>
  );
}
