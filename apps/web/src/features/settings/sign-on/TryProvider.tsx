import { trySignOn } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from './SignOn.module.css';

/** Reads the provider's configuration, before anything is saved. */
export function TryProvider({ issuer }: { readonly issuer: string }) {
  const { t } = useTranslation('signOn');
  const { data, error, isPending, mutate, variables } = useMutation({
    mutationFn: (address: string) => call(trySignOn, { body: { issuer: address } }),
  });
  // An answer about another address would be wrong here.
  const isShown = variables === issuer.trim() && !isPending;
  const failure = error ? (describeError(error).fields[0]?.message ?? describeError(error).message) : null;
  return (
    <div className={styles.try} aria-live="polite">
      <div>
        <Button busy={isPending} disabled={issuer.trim() === ''} onClick={() => mutate(issuer.trim())}>
          {t('try.button')}
        </Button>
      </div>
      {isShown && (failure ?? data?.failure) && (
        <Notice tone="critical">{failure ?? t(`try.failure.${data?.failure ?? 'unreachable'}`)}</Notice>
      )}
      {isShown && data?.found && (
        <>
          <div>
            <Chip tone="ok">{t('try.found')}</Chip>
          </div>
          <FactList
            facts={[
              [t('try.issuer'), <code key="issuer">{data.found.issuer}</code>],
              [t('try.authorization'), <code key="page">{data.found.authorization}</code>],
              [t('try.scopes'), data.found.scopes?.join(', ')],
              [t('try.claims'), data.found.claims?.join(', ')],
              [t('try.signatures'), data.found.signatures?.join(', ')],
              [t('try.signOut'), t(data.found.signOut ? 'try.yes' : 'try.no')],
            ]}
          />
        </>
      )}
    </div>
  );
}
