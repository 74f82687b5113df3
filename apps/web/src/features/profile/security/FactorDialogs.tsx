import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshMe } from '../../../base/session/use-me.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { AddPasskey } from './AddPasskey.tsx';
import { ProofForm } from './ProofForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { RenamePasskey } from './RenamePasskey.tsx';
import { SetUpTotp } from './SetUpTotp.tsx';

/** The answer to a change; it contains recovery codes if they were newly created. */
export interface WithCodes {
  readonly recoveryCodes: readonly string[] | null;
}

export type FactorDialog =
  | { readonly kind: 'totp' }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'rename'; readonly id: string; readonly name: string }
  | {
      /** Needs only the password. */
      readonly kind: 'prove';
      readonly title: string;
      readonly text: string;
      readonly run: (proof: { readonly password: string }) => Promise<object>;
    };

interface Props {
  readonly dialog: FactorDialog | null;
  readonly onClose: () => void;
}

/** A dialog for each change of second factors. New recovery codes are shown before it closes. */
export function FactorDialogs({ dialog, onClose }: Props) {
  const { t } = useTranslation(['profile', 'forms']);
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function done(answer: object): Promise<void> {
    void queryClient.invalidateQueries({ queryKey: ['second-factor'] });
    const shown = 'recoveryCodes' in answer ? (answer as WithCodes).recoveryCodes : null;
    if (shown) setCodes(shown);
    else await finish();
  }
  async function finish(): Promise<void> {
    setCodes(null);
    onClose();
    // This may have completed a required step, which opens the rest of the app.
    await refreshMe();
  }

  if (!dialog) return null;
  const title = codes ? t('codes.shown') : titleOf(dialog);
  function titleOf(of: FactorDialog): string {
    if (of.kind === 'prove') return of.title;
    return of.kind === 'rename' ? t('passkeys.rename', { name: of.name }) : t(`${of.kind}.dialog`);
  }
  return (
    <Dialog open onClose={() => void finish()} title={title} closeLabel={t('forms:close')}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => void finish()} />
      ) : dialog.kind === 'totp' ? (
        <SetUpTotp onDone={done} onCancel={onClose} />
      ) : dialog.kind === 'passkey' ? (
        <AddPasskey onDone={done} onCancel={onClose} />
      ) : dialog.kind === 'rename' ? (
        <RenamePasskey id={dialog.id} name={dialog.name} onDone={done} onCancel={onClose} />
      ) : (
        <ProofForm text={dialog.text} submit={dialog.title} run={dialog.run} onDone={done} onCancel={onClose} />
      )}
    </Dialog>
  );
}
