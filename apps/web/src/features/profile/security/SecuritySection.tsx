import { readSecondFactor } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { PasswordCard } from './PasswordCard.tsx';
import { SecondFactorCards } from './SecondFactorCards.tsx';

export const useSecondFactor = () =>
  useQuery({ queryKey: ['second-factor'], queryFn: () => call(readSecondFactor), staleTime: 0 });

/** Password, authenticator app, passkeys and recovery codes. */
export function SecuritySection() {
  const { t } = useTranslation('profile');
  const { data, error } = useSecondFactor();
  return (
    <>
      <PasswordCard />
      {data?.required && data.totp === null && data.passkeys.length === 0 && (
        <Notice tone="warning">{t('factor.required')}</Notice>
      )}
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {data && <SecondFactorCards factors={data} />}
    </>
  );
}
