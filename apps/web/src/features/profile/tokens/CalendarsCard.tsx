import { type Calendar, deleteCalendar, listCalendars } from '@milepost/contract';
import { IconCalendarEvent, IconPlus } from '@tabler/icons-react';
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
import { NewCalendar } from './NewCalendar.tsx';

/** Calendars that phones and mail programs subscribe to, each by a secret address. */
export function CalendarsCard() {
  const { t } = useTranslation(['profile', 'forms']);
  const queryClient = useQueryClient();
  const [making, setMaking] = useState(false);
  const [removed, setRemoved] = useState<Calendar | null>(null);
  const { data, error } = useQuery({ queryKey: ['calendars'], queryFn: () => call(listCalendars), staleTime: 0 });
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['calendars'] });
  const remove = useMutation({
    mutationFn: (id: string) => call(deleteCalendar, { params: { id } }),
    onSuccess: async () => {
      setRemoved(null);
      await refresh();
      toast(t('calendars.removed'));
    },
  });
  return (
    <Card
      title={t('calendars.title')}
      lead={t('calendars.lead')}
      actions={
        <Button icon={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={() => setMaking(true)}>
          {t('calendars.new')}
        </Button>
      }
    >
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {data?.length === 0 && <p>{t('calendars.none')}</p>}
      <Rows>
        {data?.map(calendar => (
          <RowItem
            key={calendar.id}
            icon={<IconCalendarEvent size={20} stroke={1.75} aria-hidden />}
            title={calendar.name}
            text={[
              calendar.include.map(part => t(`calendars.parts.${part}`)).join(', '),
              calendar.lastReadAt
                ? t('calendars.read', { day: formatDateOf(Date.parse(calendar.lastReadAt)) })
                : t('calendars.neverRead'),
            ].join(' · ')}
          >
            <Button
              aria-label={t('calendars.removeNamed', { name: calendar.name })}
              onClick={() => setRemoved(calendar)}
            >
              {t('calendars.remove')}
            </Button>
          </RowItem>
        ))}
      </Rows>
      <Dialog open={making} onClose={() => setMaking(false)} title={t('calendars.new')} closeLabel={t('forms:close')}>
        {making && <NewCalendar onMade={refresh} onClose={() => setMaking(false)} />}
      </Dialog>
      {removed && (
        <RemoveDialog
          open
          onClose={() => setRemoved(null)}
          onConfirm={() => remove.mutate(removed.id)}
          title={t('calendars.removeNamed', { name: removed.name })}
          word={removed.name}
          wordLabel={t('tokens.word', { word: removed.name })}
          confirmLabel={t('calendars.remove')}
          cancelLabel={t('forms:cancel')}
          closeLabel={t('forms:close')}
          busy={remove.isPending}
          error={remove.error ? describeError(remove.error).message : undefined}
        >
          <p>{t('calendars.removeText')}</p>
        </RemoveDialog>
      )}
    </Card>
  );
}
