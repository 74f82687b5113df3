import { findVehiclesInside, type GeofenceShape } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatCount } from '../../format/locale.ts';
import { MAX_VEHICLES, type Range } from './address.ts';

/** A drawn area, or a geofence. */
export type Area = GeofenceShape | { readonly geofenceId: string };

/** Finds the vehicles that were inside an area during the replayed time. */
export function useInside({ fromMs, toMs }: Range, onFound: (vehicleIds: readonly string[]) => void) {
  const { t } = useTranslation('replay');
  const { mutate, isPending } = useMutation({
    mutationFn: (area: Area) => {
      const [from, to] = [new Date(fromMs).toISOString(), new Date(Math.max(fromMs + 1, toMs)).toISOString()];
      return call(findVehiclesInside, { body: { from, to, area } });
    },
    onSuccess: found => {
      if (found.length === 0) return toast(t('noneInside'), 'info');
      onFound(found.slice(0, MAX_VEHICLES).map(({ deviceId }) => deviceId));
      toast(
        found.length > MAX_VEHICLES
          ? t('manyInside', { count: found.length, n: formatCount(found.length), shown: MAX_VEHICLES })
          : t('foundInside', { count: found.length }),
      );
    },
    onError: error => toast(describeError(error).message, 'error'),
  });
  return { search: mutate, isSearching: isPending };
}
