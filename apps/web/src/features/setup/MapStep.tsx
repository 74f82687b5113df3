import { IconMail } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { MapChoiceForm } from '../../map-choice/MapChoiceForm.tsx';
import { useMapChoice } from '../../map-choice/use-map-choice.ts';
import { FirstReport, Line } from './FirstReport.tsx';
import styles from './SetupPage.module.css';
import { StepActions, StepHead, type StepProps, UnreadStep } from './StepFrame.tsx';

/** Where streets come from: three equal choices, each with what it sends to other servers. */
export function MapStep(props: StepProps) {
  const { t } = useTranslation('setup');
  const { data, error, refetch } = useMapChoice();
  const head = { title: t('map.title') };
  if (!data) return <UnreadStep head={head} step={props} error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles.step}>
      <StepHead {...head} />
      <MapChoiceForm
        {...data}
        offersAddress={data.choice.kind === 'style' || data.choice.kind === 'tiles'}
        onSaved={props.onDone}
        actions={use => (
          <>
            <Ahead />
            <StepActions {...props}>{use}</StepActions>
          </>
        )}
      />
    </div>
  );
}

/** The two remaining steps and their progress. */
function Ahead() {
  const { t } = useTranslation('setup');
  const email = useSession(({ me }) => me?.email ?? null);
  return (
    <div className={styles.ahead}>
      <section className={styles.card}>
        <h2>{t('report.title')}</h2>
        <FirstReport />
      </section>
      <section className={styles.card}>
        <h2>{t('mail.next')}</h2>
        <Line
          tone="calm"
          icon={<IconMail />}
          title={email === null ? t('mail.to') : t('mail.toAddress', { email })}
          text={t(email === null ? 'mail.needsAddress' : 'mail.why')}
        />
      </section>
    </div>
  );
}
