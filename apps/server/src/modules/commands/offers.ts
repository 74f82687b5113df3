import {
  COMMAND_LIFETIME_S,
  type CommandAction,
  commandKind,
  type NewCommand,
  type offerCommands,
  type previewCommand,
  type RouteAnswer,
  type TrackerProtocol,
  userTopic,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Session } from '../../http/session.ts';
import type { DispatcherParts } from './dispatcher.ts';
import type { Grants } from './grants.ts';
import type { Measures } from './measures.ts';
import type { ControlRules } from './rules.ts';
import { maskedText, withoutSecrets } from './secrets.ts';
import { modeOf, mqttText, type Offered, offerOf, offersOf, readParams } from './words.ts';

export interface OffersParts extends Pick<DispatcherParts, 'connections' | 'directory' | 'live' | 'visibility'> {
  readonly grants: Pick<Grants, 'lockedUntil'>;
  readonly rules: Pick<ControlRules, 'others'>;
  readonly measures: Pick<Measures, 'of'>;
}

/** Which commands a vehicle's tracker has, and what they would say. */
export interface Offers {
  /** The vehicle with this IMEI, or the problem `not-found`. */
  visible(session: Session, imei: string): DirectoryEntry;
  /** The command as the tracker has it, or the problem `command-not-offered`. */
  offered(vehicle: DirectoryEntry, action: CommandAction): Offered;
  offer(
    session: Session,
    vehicleId: number,
  ): Promise<Omit<RouteAnswer<typeof offerCommands>, 'controlPasswordSet' | 'demoPassword'>>;
  preview(session: Session, wanted: Omit<NewCommand, 'grant' | 'reason'>): RouteAnswer<typeof previewCommand>;
}

export function createOffers(parts: OffersParts): Offers {
  const { connections, directory, grants, live, measures, rules, visibility } = parts;
  const visible: Offers['visible'] = (session, imei) => {
    const vehicle = directory.findByImei(imei);
    if (!visibility.sees(session, vehicle)) throw new AppError('not-found');
    return vehicle;
  };
  /** Of the connection that is open, else of the newest report, else what the owner has said. */
  const protocolOf = ({ id, imei, protocol }: DirectoryEntry): TrackerProtocol | null =>
    connections.find(imei)?.protocol ?? live.of(id)?.newest?.protocol ?? protocol;
  const offered: Offers['offered'] = (vehicle, action) => {
    const protocol = protocolOf(vehicle);
    const offer = protocol && offerOf(protocol, action);
    if (!offer) throw new AppError('command-not-offered', { vehicle: vehicle.name });
    return offer;
  };

  return {
    visible,
    offered,

    offer: async (session, vehicleId) => {
      const vehicle = visibility.vehicle(session, vehicleId);
      const { interlock, possibleAt, protocol: connected, reachable } = await measures.of(vehicle);
      const protocol = connected ?? protocolOf(vehicle);
      const lockedUntil = await grants.lockedUntil(session.accountId, session.userId);
      return {
        deviceId: String(vehicle.id),
        imei: vehicle.imei,
        deviceName: vehicle.name,
        protocol,
        reachable,
        actions: (protocol ? offersOf(protocol) : []).map(({ action, maker, parameters }) => ({
          action,
          maker,
          parameters: [...parameters],
          modes: [...commandKind(action).modes],
        })),
        interlock,
        interlockAt: possibleAt === null ? null : new Date(possibleAt).toISOString(),
        controlsLockedUntil: lockedUntil?.toISOString() ?? null,
        secondPeople: await rules.others(vehicle, session.userId),
      };
    },

    preview: (session, wanted) => {
      const vehicle = visible(session, wanted.imei);
      const offer = offered(vehicle, wanted.action);
      const params = readParams(offer, wanted.params ?? {});
      modeOf(wanted);
      const text = offer.text(params);
      const { params: shown, secrets } = withoutSecrets(params);
      return {
        topic: userTopic(vehicle.imei),
        payload: mqttText(wanted.action, shown),
        text: text === null ? null : maskedText(text, secrets),
        expiresInS: COMMAND_LIFETIME_S[commandKind(wanted.action).category],
      };
    },
  };
}
