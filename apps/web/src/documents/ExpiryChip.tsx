import { IconId } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatMonth } from '../format/date.ts';
import { Chip } from '../ui/Chip.tsx';
import { useExpiry } from './use-expiry.ts';

interface Props {
  readonly expiresOn: string;
  /** Show the exact day instead of the month. */
  readonly exact?: boolean;
}

/** When a document expires: plain text while it is valid for long, a chip if it expires soon or has expired. */
export function ExpiryChip({ expiresOn, exact = false }: Props) {
  const { t } = useTranslation('documents');
  const expiry = useExpiry()(expiresOn);
  const text = exact ? formatDate(expiresOn) : formatMonth(expiresOn);
  if (expiry === 'fine') return <>{text}</>;
  return (
    <Chip tone={expiry === 'ended' ? 'critical' : 'warning'}>
      <IconId size={14} stroke={1.75} aria-hidden />
      {t(expiry === 'ended' ? 'endedOn' : 'endsOn', { date: text })}
    </Chip>
  );
}
