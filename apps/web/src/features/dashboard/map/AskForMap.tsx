import { updateMapChoice } from '@milepost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../base/api.ts';
import { BASE_MAP_KEY, useBaseMapDecision, useMayChooseMap } from '../../../base/base-map.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { useLayout } from '../use-layout.ts';
import styles from './AskForMap.module.css';

/** Asks operators of a new installation, once, where to get street maps. */
export function AskForMap() {
  const { t } = useTranslation('dashboardMap');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const mayChoose = useMayChooseMap();
  const isPhone = useLayout() === 'phone';
  const isDemo = useSession(({ me }) => me?.account.demo ?? true);
  const { data } = useBaseMapDecision();
  const keep = useMutation({
    mutationFn: () => call(updateMapChoice, { body: { kind: 'built-in' } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: BASE_MAP_KEY }),
    onError: error => toast(describeError(error).message, 'info'),
  });
  // On a phone the sheet would cover it; operators who set up Milepost there find the choice in the settings.
  if (isPhone || !mayChoose || isDemo || data?.decidedBy !== 'nobody') return null;
  return (
    <section className={styles.ask} aria-label={t('ask.title')}>
      <h2>{t('ask.title')}</h2>
      <p>{t('ask.text')}</p>
      <div className={styles.actions}>
        <Button busy={keep.isPending} onClick={() => keep.mutate()}>
          {t('ask.keep')}
        </Button>
        <Button variant="primary" onClick={() => navigate(paths.settings('maps'))}>
          {t('ask.choose')}
        </Button>
      </div>
    </section>
  );
}
