import { SUBSCRIPTION_DAYS, type Subscription } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { subscriptionsQuery } from '../../../base/session/subscriptions.ts';
import { formatDate, isoDateOf } from '../../../format/date.ts';
import { paths } from '../../../paths.ts';
import type { RegistryColumn } from '../../../registry/columns.ts';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { RegistryTable } from '../../../registry/RegistryTable.tsx';
import type { Sort } from '../../../registry/registry-url.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { SectionFrame } from '../SectionFrame.tsx';
import styles from './SubscriptionsSection.module.css';

/** Early enough to renew. */
const SOON_DAYS = 30;

/** One subscription per vehicle, with its remaining days as the server counts them [R4.19]. */
export function SubscriptionsSection() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(subscriptionsQuery);
  const [sort, setSort] = useState<Sort | null>(null);
  const navigate = useNavigate();
  const openVehicle = (id: string): void => {
    const imei = data?.find(subscription => subscription.id === id)?.device.imei;
    if (imei) void navigate(paths.vehicleOnMap(imei));
  };
  const columns = useMemo<RegistryColumn<Subscription>[]>(
    () => [
      {
        id: 'vehicle',
        header: t('subscriptions.vehicle'),
        cell: ({ device }) => device.deviceName,
        sortBy: ({ device }) => device.deviceName,
      },
      {
        id: 'created',
        header: t('subscriptions.created'),
        cell: ({ createdDate }) => formatDate(isoDateOf(Date.parse(createdDate))),
        sortBy: ({ createdDate }) => createdDate,
      },
      {
        id: 'days',
        header: t('subscriptions.days'),
        align: 'end',
        cell: ({ daysRemaining }) => <Days left={daysRemaining} />,
        sortBy: ({ daysRemaining }) => daysRemaining,
      },
    ],
    [t],
  );
  return (
    <SectionFrame title={t('sections.subscriptions')} note={t('subscriptions.note', { days: SUBSCRIPTION_DAYS })}>
      <div className={styles.list}>
        {data && data.length > 0 ? (
          <RegistryTable
            label={t('sections.subscriptions')}
            rows={data}
            columns={columns}
            idOf={({ id }) => id}
            nameOf={({ device }) => device.deviceName}
            sort={sort}
            onSort={setSort}
            open={null}
            onOpen={openVehicle}
            card={({ createdDate, daysRemaining }) => (
              <>
                {formatDate(isoDateOf(Date.parse(createdDate)))} <Days left={daysRemaining} />
              </>
            )}
          />
        ) : (
          <RegistryState
            total={data?.length}
            error={error}
            onRetry={() => void refetch()}
            onClear={() => {}}
            empty={{ title: t('subscriptions.none'), text: t('subscriptions.noneText') }}
          />
        )}
      </div>
    </SectionFrame>
  );
}

function Days({ left }: { readonly left: number }) {
  const { t } = useTranslation('settings');
  const text = t('subscriptions.left', { count: left });
  if (left > SOON_DAYS) return text;
  return <Chip tone={left === 0 ? 'critical' : 'warning'}>{left === 0 ? t('subscriptions.ended') : text}</Chip>;
}
