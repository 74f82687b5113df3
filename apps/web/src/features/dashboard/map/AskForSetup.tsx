import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMayChooseMap } from '../../../base/base-map.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { endSetup, stepsLeft } from '../../../base/session/setup.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import styles from './AskForMap.module.css';
import { AskForMap } from './AskForMap.tsx';

/** Leads back to an unfinished setup, or asks for the map if that is all that is missing. */
export function AskForSetup() {
  const { t } = useTranslation('dashboardMap');
  const navigate = useNavigate();
  const mayAll = useMayChooseMap();
  const preferences = useSession(({ me }) => me?.preferences);
  const end = useMutation({
    mutationFn: endSetup,
    onError: error => toast(describeError(error).message, 'error'),
  });
  const left = preferences && mayAll ? stepsLeft(preferences).length : 0;
  if (left === 0) return <AskForMap />;
  return (
    <section className={styles.ask} aria-label={t('setup.title')}>
      <h2>{t('setup.title')}</h2>
      <p>{t('setup.text', { count: left })}</p>
      <div className={styles.actions}>
        <Button busy={end.isPending} onClick={() => end.mutate()}>
          {t('setup.later')}
        </Button>
        <Button variant="primary" onClick={() => navigate(paths.setup())}>
          {t('setup.go')}
        </Button>
      </div>
    </section>
  );
}
