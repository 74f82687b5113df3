import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { canRetry } from './retry.ts';

interface Props {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly variant?: 'primary' | 'text';
}

/** A "Try again" button for failed requests. Renders nothing if trying again can't help. */
export function RetryButton({ error, onRetry, variant }: Props) {
  const { t } = useTranslation('errors');
  if (!canRetry(error)) return null;
  return (
    <Button {...(variant && { variant })} onClick={onRetry}>
      {t('tryAgain')}
    </Button>
  );
}
