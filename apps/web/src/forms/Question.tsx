import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { DialogActions } from '../ui/DialogActions.tsx';
import { Notice } from '../ui/Notice.tsx';

interface Props<Answer> {
  readonly title: string;
  /** The button that does it. */
  readonly action: string;
  /** The button that doesn't; "Cancel" if left out. */
  readonly cancel?: string;
  readonly act: () => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
  readonly onClose: () => void;
  /** What happens then. */
  readonly children: ReactNode;
}

/** Asks before something is deleted or ended. If that fails, the question stays and says why. */
export function Question<Answer>({ title, action, cancel, act, onDone, onClose, children }: Props<Answer>) {
  const { t } = useTranslation('forms');
  const { mutate, isPending, error } = useMutation({ mutationFn: act, onSuccess: onDone });
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('close')}>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {children}
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {cancel ?? t('cancel')}
        </Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
