import { offerCommands, type TrackerProtocol } from '@milepost/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../base/api.ts';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { mergeOffers, type Offer, type OfferedCommand } from './offers.ts';
import type { CommandVehicle } from './vehicle.ts';

/** How often the checks are measured again while a dialog is open, in milliseconds. */
const REFRESH_MS = 2000;

const offerOf = (deviceId: string) => ({
  queryKey: ['command-offer', deviceId],
  queryFn: () => call(offerCommands, { query: { deviceId } }),
  staleTime: 0,
  gcTime: 30_000,
});

export interface Offers {
  readonly commands: readonly OfferedCommand[];
  /** Whether this vehicle's tracker supports the command. */
  readonly has: (vehicle: CommandVehicle, action: string) => boolean;
  /** The number of vehicles that have never reported. */
  readonly unknown: number;
  readonly loading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * What the vehicles' trackers support. Commands depend on the protocol, so only one vehicle per protocol is asked,
 * however many are selected.
 */
export function useOffers(vehicles: readonly CommandVehicle[]): Offers {
  const { data: known } = useQuery(vehicleListQuery);
  const groups = useMemo(() => {
    const protocols = new Map(known?.map(({ id, protocol }) => [id, protocol]));
    return Map.groupBy(vehicles, ({ id }): TrackerProtocol | null | undefined => protocols.get(id));
  }, [vehicles, known]);
  const asked = [...groups].filter(([protocol]) => protocol != null);
  const answers = useQueries({
    queries: asked.map(([, [first]]) => ({
      ...offerOf(first?.id ?? ''),
      staleTime: 60_000,
      enabled: first !== undefined,
    })),
  });
  const offers = new Map(asked.map(([protocol], at) => [protocol, answers[at]?.data]));
  const protocolOf = useMemo(
    () => new Map([...groups].flatMap(([protocol, list]) => list.map(({ id }) => [id, protocol] as const))),
    [groups],
  );
  return {
    commands: mergeOffers(
      asked.flatMap(([protocol, list]) => {
        const offer = offers.get(protocol);
        return offer ? [{ offer, vehicles: list.length }] : [];
      }),
    ),
    has: ({ id }, action) => offers.get(protocolOf.get(id))?.actions.some(one => one.action === action) ?? false,
    unknown: groups.get(null)?.length ?? 0,
    loading: known === undefined || answers.some(({ isPending }) => isPending),
    error: answers.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of answers) if (error) void refetch();
    },
  };
}

/** One vehicle's own offer with its interlock. With `live`, it is measured repeatedly. */
export function useOffer(deviceId: string, live: boolean): Offer | undefined {
  return useQuery({ ...offerOf(deviceId), refetchInterval: live ? REFRESH_MS : false }).data;
}
