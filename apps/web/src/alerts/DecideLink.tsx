import { type Alert, alertSubject } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { buttonLook } from '../ui/Button.tsx';
import { alertWords } from './alert-words.ts';

/** A request for a second person is confirmed or declined, not acknowledged. */
export const isRequest = ({ kind }: Pick<Alert, 'kind'>): boolean => kind === 'secondPerson';

/** Link to the page where a request is decided. */
export function DecideLink({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation('alerts');
  return (
    <Link
      to={paths.alerts()}
      className={buttonLook({ variant: 'primary' })}
      aria-label={t('decideOf', { what: alertWords(alert), vehicle: alertSubject(alert) })}
    >
      {t('decide')}
    </Link>
  );
}
