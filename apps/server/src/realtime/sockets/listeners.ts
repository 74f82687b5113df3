import type { SocketNamespace } from '@milepost/contract';
import type { Organisation } from '../../fleet/organisation.ts';
import { holds, type SocketClient, type SocketClients } from './socket-clients.ts';

export interface SocketParts extends Pick<Organisation, 'directory' | 'roster' | 'visibility'> {
  readonly clients: SocketClients;
}

/** Anyone who hears of a vehicle on a namespace: of its account, in sight of it, with the right that the event asks for. */
export function* listeners(
  { clients, directory, visibility }: SocketParts,
  namespace: SocketNamespace,
  { accountId, vehicleId }: { readonly accountId: number; readonly vehicleId: number },
  access: Parameters<typeof holds>[1],
): Iterable<SocketClient> {
  const vehicle = directory.findById(vehicleId);
  if (vehicle?.accountId !== accountId) return;
  for (const client of clients.of(namespace, accountId)) {
    if (holds(client.session, access) && visibility.sees(client.session, vehicle)) yield client;
  }
}
