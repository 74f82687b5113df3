import { deleteSignOn, readSignOn, type SignOn } from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Card, SectionFrame } from '../SectionFrame.tsx';
import styles from './SignOn.module.css';
import { SignOnForm } from './SignOnForm.tsx';

const KEY = ['sign-on'];

/** How users sign in with the organization's identity provider; for owners. */
export function Component() {
  const { t } = useTranslation(['settings', 'signOn', 'forms']);
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: () => call(readSignOn) });
  const [removing, setRemoving] = useState(false);
  const shown = (signOn: SignOn): void => void client.setQueryData(KEY, signOn);
  const remove = useMutation({
    mutationFn: () => call(deleteSignOn),
    onSuccess: signOn => {
      shown(signOn);
      setRemoving(false);
      toast(t('signOn:remove.done'));
    },
    onError: cause => toast(describeError(cause).message, 'error'),
  });
  return (
    <SectionFrame title={t('sections.signOn')}>
      {data ? (
        <>
          <Register signOn={data} />
          <SignOnForm
            key={data.settings === null ? 'new' : 'set up'}
            settings={data.settings}
            onSaved={signOn => {
              shown(signOn);
              toast(t('forms:saved'));
            }}
            onRemove={() => setRemoving(true)}
          />
          <Dialog
            open={removing}
            onClose={() => setRemoving(false)}
            title={t('signOn:remove.title')}
            closeLabel={t('forms:close')}
            role="alertdialog"
          >
            <p>{t('signOn:remove.text', { count: data.users })}</p>
            <DialogActions>
              <Button onClick={() => setRemoving(false)}>{t('forms:cancel')}</Button>
              <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
                {t('signOn:remove.title')}
              </Button>
            </DialogActions>
          </Dialog>
        </>
      ) : (
        <ReadState error={error} onRetry={() => void refetch()} />
      )}
    </SectionFrame>
  );
}

function Register({ signOn: { link, redirectUris, settings, signOutUris, users } }: { readonly signOn: SignOn }) {
  const { t } = useTranslation('signOn');
  const lines = (what: string, uris: readonly string[]) => (
    <div className={styles.lines}>
      <h3>{what}</h3>
      {uris.map(uri => (
        <CopyLine key={uri} text={uri} label={t('register.copy', { what })} copied={t('register.copied')} />
      ))}
    </div>
  );
  return (
    <Card title={t('register.title')} text={t('register.text')}>
      <div className={styles.stack}>
        {lines(t('register.redirect'), redirectUris)}
        {lines(t('register.signOut'), signOutUris)}
        {link !== null && (
          <>
            {lines(t('register.link'), [link])}
            <p className={styles.hint}>{t('register.linkHint')}</p>
          </>
        )}
        {settings && (
          <p className={styles.hint}>{users === 0 ? t('connectedNone') : t('connected', { count: users })}</p>
        )}
      </div>
    </Card>
  );
}
