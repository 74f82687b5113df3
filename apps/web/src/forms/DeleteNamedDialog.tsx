import type { ChangeKind } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { toast } from '../base/toasts/toast.ts';
import { changedHere } from '../changes/apply-changes.ts';
import { RemoveDialog } from '../ui/RemoveDialog.tsx';

interface Props {
  readonly thing: readonly [kind: ChangeKind, id: string];
  readonly name: string;
  readonly texts: Readonly<Record<'title' | 'text' | 'word' | 'action' | 'done', string>>;
  readonly remove: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deletes something once the user has typed its name. */
export function DeleteNamedDialog({ thing, name, texts, remove, onClose, onDeleted }: Props) {
  const { t } = useTranslation('forms');
  const { mutate, isPending, error } = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      toast(texts.done);
      onDeleted();
      void changedHere(thing);
    },
  });
  return (
    <RemoveDialog
      open
      onClose={onClose}
      onConfirm={() => mutate()}
      title={texts.title}
      word={name}
      wordLabel={texts.word}
      confirmLabel={texts.action}
      cancelLabel={t('cancel')}
      closeLabel={t('close')}
      busy={isPending}
      error={error ? describeError(error).message : undefined}
    >
      <p>{texts.text}</p>
    </RemoveDialog>
  );
}
