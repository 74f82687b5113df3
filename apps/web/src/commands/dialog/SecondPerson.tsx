import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/Notice.tsx';

/** Says, before sending, that a second person has to confirm, and how many could. */
export function SecondPerson({ people }: { readonly people: number }) {
  const { t } = useTranslation('commands');
  return people === 0 ? (
    <Notice tone="warning">{t('second.nobody')}</Notice>
  ) : (
    <Notice>{t('second.before', { others: t('second.others', { count: people }) })}</Notice>
  );
}
