import { IconEye, IconMapPin, IconRobot, IconUsers } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { AppearanceMenu } from '../../base/AppearanceMenu.tsx';
import { useAppName, useClientSettings } from '../../base/client-settings.ts';
import { describeError } from '../../base/describe-error.ts';
import { enterDemo } from '../../base/enter-demo.ts';
import { LanguageMenu } from '../../base/language/LanguageMenu.tsx';
import { useSession } from '../../base/session/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './DemoPage.module.css';

const FACTS = [
  ['real', IconMapPin],
  ['simulated', IconRobot],
  ['readOnly', IconEye],
] as const;

/** What the demo is, with the buttons that open it. No sign-up. */
export function Welcome() {
  const { t } = useTranslation('demo');
  const navigate = useNavigate();
  const app = useAppName();
  const { data: settings, error } = useClientSettings();
  const name = useSession(({ token, me }) => (token === null ? null : (me?.displayName ?? '')));
  const enter = useMutation({
    mutationFn: enterDemo,
    onSuccess: () => void navigate(paths.dashboard()),
  });
  const failure = enter.error ?? error;
  return (
    <div className={styles.welcome}>
      <div className={styles.top}>
        <span className={styles.tile}>
          <Mark height={24} />
        </span>
        <b>{app}</b>
        <LanguageMenu bordered />
        <AppearanceMenu bordered />
      </div>
      <h1>{t('heading')}</h1>
      <p className={styles.lead}>{t('lead')}</p>
      {failure && (
        <Notice tone="critical" role="alert">
          {describeError(failure).message}
        </Notice>
      )}
      {settings?.demoVisit === false && <Notice>{t('off')}</Notice>}
      {settings?.demoVisit && (
        <>
          {name !== null && <Notice>{t('signedIn', { name })}</Notice>}
          <Button
            variant="primary"
            size="large"
            wide
            busy={enter.isPending && enter.variables === 'everything'}
            onClick={() => enter.mutate('everything')}
          >
            {t('enter')}
          </Button>
          <Button
            size="large"
            wide
            icon={<IconUsers size={18} stroke={1.75} aria-hidden />}
            busy={enter.isPending && enter.variables === 'dispatcher'}
            onClick={() => enter.mutate('dispatcher')}
          >
            {t('asDispatcher')}
          </Button>
          <ul className={styles.facts}>
            {FACTS.map(([fact, Icon]) => (
              <li key={fact}>
                <Icon size={20} stroke={1.75} aria-hidden />
                {t(`facts.${fact}`)}
              </li>
            ))}
          </ul>
        </>
      )}
      <Link className={styles.other} to={name === null ? paths.login() : paths.dashboard()}>
        {name === null ? t('toSignIn') : t('toMap')}
      </Link>
    </div>
  );
}
