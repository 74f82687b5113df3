import { endOtherSessions, endSession, listSessions } from '@milepost/contract';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatMoment } from '../../../format/time.ts';
import { deviceOf } from '../../../format/user-agent.ts';
import { useMinute } from '../../../live/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Card, RowItem, Rows } from '../Card.tsx';

/** The user's sessions on all devices, each with a button to end it. */
export function SessionsSection() {
  const { t } = useTranslation('profile');
  const queryClient = useQueryClient();
  const nowMs = useMinute();
  const { data, error: readError } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => call(listSessions),
    staleTime: 0,
  });
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (id: string | null): Promise<unknown> =>
      id === null ? call(endOtherSessions) : call(endSession, { params: { id } }),
    onSuccess: async (_, id) => {
      await queryClient.invalidateQueries({ queryKey: ['sessions'] });
      toast(t(id === null ? 'sessions.othersEnded' : 'sessions.ended'));
    },
  });
  const shown = error ?? readError;
  const nameOf = (userAgent: string | null): string => {
    const { browser, system } = deviceOf(userAgent ?? '');
    if (browser && system) return t('sessions.device', { browser, system });
    return browser ?? system ?? t('sessions.unknown');
  };
  return (
    <Card
      title={t('sessions.title')}
      lead={t('sessions.lead')}
      actions={
        data &&
        data.length > 1 && (
          <Button busy={isPending && variables === null} onClick={() => mutate(null)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {shown && (
        <Notice tone="critical" role="alert">
          {describeError(shown).message}
        </Notice>
      )}
      <Rows>
        {data?.map(({ id, current, userAgent, address, lastSeenAt, createdAt, signedOnWith }) => {
          const name = nameOf(userAgent);
          const Icon = deviceOf(userAgent ?? '').mobile ? IconDeviceMobile : IconDeviceDesktop;
          return (
            <RowItem
              key={id}
              icon={<Icon size={20} stroke={1.75} aria-hidden />}
              title={
                <>
                  {name}
                  {current && <Chip tone="live">{t('sessions.current')}</Chip>}
                  {signedOnWith !== null && <Chip>{signedOnWith}</Chip>}
                </>
              }
              text={t('sessions.facts', {
                address: address ?? t('sessions.noAddress'),
                seen: formatMoment(Date.parse(lastSeenAt), nowMs),
                since: formatMoment(Date.parse(createdAt), nowMs),
              })}
            >
              {!current && (
                <Button
                  busy={isPending && variables === id}
                  aria-label={t('sessions.endNamed', { name })}
                  onClick={() => mutate(id)}
                >
                  {t('sessions.end')}
                </Button>
              )}
            </RowItem>
          );
        })}
      </Rows>
    </Card>
  );
}
