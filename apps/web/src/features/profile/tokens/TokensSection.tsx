import { deleteApiToken, listApiTokens, type RouteAnswer } from '@milepost/contract';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatDateOf } from '../../../format/date.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { RemoveDialog } from '../../../ui/RemoveDialog.tsx';
import { Card, RowItem, Rows } from '../Card.tsx';
import { AddressesCard } from './AddressesCard.tsx';
import { CalendarsCard } from './CalendarsCard.tsx';
import { NewToken } from './NewToken.tsx';

type ApiToken = RouteAnswer<typeof listApiTokens>[number];

/** What programs read with: tokens, the addresses to use them at, and calendars. */
export function TokensSection() {
  return (
    <>
      <TokensCard />
      <AddressesCard />
      <CalendarsCard />
    </>
  );
}

/** Tokens that let programs act for the user, each with limited permissions and an expiry. */
function TokensCard() {
  const { t } = useTranslation(['profile', 'forms', 'people']);
  const queryClient = useQueryClient();
  const [making, setMaking] = useState(false);
  const [removed, setRemoved] = useState<ApiToken | null>(null);
  const { data, error } = useQuery({ queryKey: ['api-tokens'], queryFn: () => call(listApiTokens), staleTime: 0 });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['api-tokens'] });
  const remove = useMutation({
    mutationFn: (id: string) => call(deleteApiToken, { params: { id } }),
    onSuccess: async () => {
      setRemoved(null);
      await refresh();
      toast(t('tokens.removed'));
    },
  });
  const day = (iso: string) => formatDateOf(Date.parse(iso));
  return (
    <Card
      title={t('tokens.title')}
      lead={t('tokens.lead')}
      actions={
        <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setMaking(true)}>
          {t('tokens.new')}
        </Button>
      }
    >
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {data?.length === 0 && <p>{t('tokens.none')}</p>}
      <Rows>
        {data?.map(token => (
          <RowItem
            key={token.id}
            icon={<IconPlugConnected size={20} stroke={1.75} aria-hidden />}
            title={token.name}
            text={t('tokens.facts', {
              count: token.scopes.length,
              until: day(token.expiresAt),
              used: token.lastSeenAt ? day(token.lastSeenAt) : t('tokens.never'),
            })}
          >
            <Button aria-label={t('tokens.removeNamed', { name: token.name })} onClick={() => setRemoved(token)}>
              {t('tokens.remove')}
            </Button>
          </RowItem>
        ))}
      </Rows>
      <Dialog open={making} onClose={() => setMaking(false)} title={t('tokens.new')} closeLabel={t('forms:close')}>
        {making && <NewToken onMade={refresh} onClose={() => setMaking(false)} />}
      </Dialog>
      {removed && (
        <RemoveDialog
          open
          onClose={() => setRemoved(null)}
          onConfirm={() => remove.mutate(removed.id)}
          title={t('tokens.removeNamed', { name: removed.name })}
          word={removed.name}
          wordLabel={t('tokens.word', { word: removed.name })}
          confirmLabel={t('tokens.remove')}
          cancelLabel={t('forms:cancel')}
          closeLabel={t('forms:close')}
          busy={remove.isPending}
          error={remove.error ? describeError(remove.error).message : undefined}
        >
          <p>{t('tokens.removeText')}</p>
        </RemoveDialog>
      )}
    </Card>
  );
}
