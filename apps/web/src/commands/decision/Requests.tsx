import { useTranslation } from 'react-i18next';
import { Request } from './Request.tsx';
import styles from './Requests.module.css';

/** Commands that wait for a second person, each with everything needed to decide. */
export function Component({ ids }: { readonly ids: readonly string[] }) {
  const { t } = useTranslation('commands');
  return (
    <section className={styles.requests} aria-label={t('decision.heading')}>
      {ids.map(id => (
        <Request key={id} id={id} />
      ))}
    </section>
  );
}
