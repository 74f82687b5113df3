import {
  listRefusedReports,
  may,
  type NewVehicle,
  type RouteAnswer,
  updateVehicle,
  type Vehicle,
} from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatAge } from '../../../format/duration.ts';
import { useNow } from '../../../live/view.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { protocolName } from '../../../vehicles/protocol-name.ts';
import { RefusedFrames } from './RefusedFrames.tsx';
import styles from './RefusedReports.module.css';

type Refused = RouteAnswer<typeof listRefusedReports>[number];

const KEY = ['refused-reports'];
/** Anyone can cause refused reports, so they are not announced live. */
const READ_EVERY_MS = 60_000;

/**
 * Refused reports for this vehicle, which came over another protocol or from another address: an impostor or a new
 * tracker.
 */
export function RefusedReports({ vehicle }: { readonly vehicle: Vehicle }) {
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => call(listRefusedReports),
    refetchInterval: READ_EVERY_MS,
  });
  return data
    ?.filter(({ deviceId }) => deviceId === vehicle.id)
    .map(refused => <Refusal key={`${refused.protocol} ${refused.cause}`} refused={refused} vehicle={vehicle} />);
}

function Refusal({ refused, vehicle }: { readonly refused: Refused; readonly vehicle: Vehicle }) {
  const { t } = useTranslation('assets');
  const nowMs = useNow();
  const me = useSession(session => session.me);
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { cause, lastSeenAt, remoteAddress, times } = refused;
  const protocol = protocolName(refused.protocol) ?? '';
  const address = remoteAddress ?? t('refused.noAddress');
  const told = {
    ...{ count: times, protocol, address },
    own: protocolName(vehicle.protocol) ?? '',
    age: formatAge(nowMs - Date.parse(lastSeenAt)),
  };
  const isAddress = cause === 'address';
  const allow = useMutation({
    mutationFn: () => call(updateVehicle, { params: { id: vehicle.id }, body: allowing(refused, vehicle) }),
    onSuccess: () => {
      const { deviceName: name } = vehicle;
      toast(isAddress ? t('refused.addressAllowed', { name, address }) : t('refused.allowed', { name, protocol }));
    },
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Notice tone="warning">
      <p>{isAddress ? t('refused.addressText', told) : t('refused.text', told)}</p>
      <div className={styles.actions}>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'refused.hide' : 'refused.show')}
        </Button>
        {me !== null && may(me, 'vehicles.write') && (!isAddress || remoteAddress !== null) && (
          <Button disabled={allow.isPending} onClick={() => allow.mutate()}>
            {isAddress ? t('refused.allowAddress', { address }) : t('refused.allow', { protocol })}
          </Button>
        )}
      </div>
      {isOpen && <RefusedFrames vehicleId={vehicle.id} refused={refused} />}
    </Notice>
  );
}

const allowing = ({ cause, protocol, remoteAddress }: Refused, vehicle: Vehicle): Partial<NewVehicle> =>
  cause === 'protocol'
    ? { protocol }
    : { trackerAddresses: [...vehicle.trackerAddresses, ...(remoteAddress === null ? [] : [remoteAddress])] };
