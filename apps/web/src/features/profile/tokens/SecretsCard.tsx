import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { RemoveDialog } from '../../../ui/RemoveDialog.tsx';
import { Card, RowItem, Rows } from '../Card.tsx';
import styles from './NewToken.module.css';

/** Where the texts stand. */
type Kind = 'tokens' | 'calendars';

export interface NewSecretProps {
  readonly onMade: () => Promise<void>;
  readonly onClose: () => void;
}

interface Props<Secret> {
  readonly kind: Kind;
  readonly list: () => Promise<readonly Secret[]>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly icon: ReactNode;
  readonly factsOf: (secret: Secret) => string;
  /** The form for a new one. */
  readonly New: ComponentType<NewSecretProps>;
}

/** Tokens or secret addresses of the user: listed by name, made, and deleted after typing the name. */
export function SecretsCard<Secret extends { readonly id: string; readonly name: string }>(props: Props<Secret>) {
  const { factsOf, icon, kind, list, New, remove: removeOne } = props;
  const { t } = useTranslation(['profile', 'forms']);
  const queryClient = useQueryClient();
  const [making, setMaking] = useState(false);
  const [removed, setRemoved] = useState<Secret | null>(null);
  const { data, error } = useQuery({ queryKey: [kind], queryFn: list, staleTime: 0 });
  const refresh = () => queryClient.invalidateQueries({ queryKey: [kind] });
  const remove = useMutation({
    mutationFn: removeOne,
    onSuccess: async () => {
      setRemoved(null);
      await refresh();
      toast(t(`${kind}.removed`));
    },
  });
  return (
    <Card
      title={t(`${kind}.title`)}
      lead={t(`${kind}.lead`)}
      actions={
        <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setMaking(true)}>
          {t(`${kind}.new`)}
        </Button>
      }
    >
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {data?.length === 0 && <p>{t(`${kind}.none`)}</p>}
      <Rows>
        {data?.map(secret => (
          <RowItem key={secret.id} icon={icon} title={secret.name} text={factsOf(secret)}>
            <Button aria-label={t(`${kind}.removeNamed`, { name: secret.name })} onClick={() => setRemoved(secret)}>
              {t(`${kind}.remove`)}
            </Button>
          </RowItem>
        ))}
      </Rows>
      <Dialog open={making} onClose={() => setMaking(false)} title={t(`${kind}.new`)} closeLabel={t('forms:close')}>
        {making && <New onMade={refresh} onClose={() => setMaking(false)} />}
      </Dialog>
      {removed && (
        <RemoveDialog
          open
          onClose={() => setRemoved(null)}
          onConfirm={() => remove.mutate(removed.id)}
          title={t(`${kind}.removeNamed`, { name: removed.name })}
          word={removed.name}
          wordLabel={t('tokens.word', { word: removed.name })}
          confirmLabel={t(`${kind}.remove`)}
          cancelLabel={t('forms:cancel')}
          closeLabel={t('forms:close')}
          busy={remove.isPending}
          error={remove.error ? describeError(remove.error).message : undefined}
        >
          <p>{t(`${kind}.removeText`)}</p>
        </RemoveDialog>
      )}
    </Card>
  );
}

/** A new one, shown once. */
export function ShownOnce({ kind, secret, onClose }: { kind: Kind; secret: string; onClose: () => void }) {
  const { t } = useTranslation('profile');
  return (
    <div className={styles.made}>
      <Notice tone="warning">{t(`${kind}.once`)}</Notice>
      <CopyLine text={secret} label={t(`${kind}.copy`)} copied={t(`${kind}.copied`)} />
      <p>{t(`${kind}.use`)}</p>
      <DialogActions>
        <Button variant="primary" onClick={onClose} data-autofocus>
          {t('tokens.done')}
        </Button>
      </DialogActions>
    </div>
  );
}
