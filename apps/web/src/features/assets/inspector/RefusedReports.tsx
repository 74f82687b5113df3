import { listRefusedReports, may, updateVehicle, type Vehicle } from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { describeError } from '../../../app/describe-error.ts';
import { useSession } from '../../../app/session/session.ts';
import { toast } from '../../../app/toasts/toast.ts';
import { formatAge } from '../../../format/duration.ts';
import { useNow } from '../../../live/use-now.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { protocolName } from '../../../vehicles/protocol-name.ts';

const KEY = ['refused-reports'];
/** Strangers make these, so nobody is told of each. */
const READ_EVERY_MS = 60_000;

/** What reports for a vehicle over another protocol than its own, and was refused: an impostor, or a new tracker. */
export function RefusedReports({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation('assets');
  const nowMs = useNow();
  const me = useSession(session => session.me);
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => call(listRefusedReports),
    refetchInterval: READ_EVERY_MS,
  });
  const allow = useMutation({
    mutationFn: (protocol: Vehicle['protocol']) =>
      call(updateVehicle, { params: { id: vehicle.id }, body: { protocol: protocol ?? '' } }),
    onSuccess: (_, protocol) => toast(t('refused.allowed', { name: vehicle.deviceName, protocol: nameOf(protocol) })),
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  const refused = (data ?? []).filter(
    ({ deviceId, protocol }) => deviceId === vehicle.id && protocol !== vehicle.protocol,
  );
  return refused.map(({ protocol, remoteAddress, lastSeenAt, times }) => (
    <Notice key={protocol} tone="warning">
      <p>
        {t('refused.text', {
          count: times,
          protocol: nameOf(protocol),
          own: nameOf(vehicle.protocol),
          address: remoteAddress ?? t('refused.noAddress'),
          age: formatAge(nowMs - Date.parse(lastSeenAt)),
        })}
      </p>
      {me !== null && may(me, 'vehicles.write') && (
        <Button disabled={allow.isPending} onClick={() => allow.mutate(protocol)}>
          {t('refused.allow', { protocol: nameOf(protocol) })}
        </Button>
      )}
    </Notice>
  ));
}

const nameOf = (protocol: Vehicle['protocol']): string => protocolName(protocol) ?? '';
