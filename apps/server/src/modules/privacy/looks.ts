import { type Alert, FLEET_LOOKS, type LookKind } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { RosterDriver } from '../../fleet/roster.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import type { Listening } from '../../realtime/broker-clients.ts';
import { mapInTurns } from '../../workers/turns.ts';
import { createLedger, type Ledger, type Look, type Looker } from './ledger.ts';
import { LOOKS_OF_ROUTES, type LookParts, type Shown } from './looks-of-routes.ts';
import { whoDrove } from './who-drove.ts';

/** Writes down who looks at drivers' positions, where those leave the server. */
export interface Looks {
  readonly ledger: Ledger;
  /** What was shown to someone, by the drivers it is about; resolves when it is in the ledger. */
  record(viewer: Viewer, looker: Looker, shown: Shown): Promise<void>;
  /** Alerts went to someone outside of a page, with the places where they were; resolves when the ledger has them. */
  sent(to: Looker, alerts: readonly Alert[]): Promise<void>;
  /** Someone has alerts on their screen as they happen, with the places. */
  hears(session: Session, alert: Alert): void;
  /** What a vehicle crossed went to someone, live or afterwards; resolves when what is past is in the ledger. */
  crossed(session: Session, vehicle: DirectoryEntry, atMs: number, isLive: boolean): Promise<void>;
  /** Someone listens to the live positions of a vehicle from now on. */
  listens(session: Session, vehicle: DirectoryEntry): void;
  /** Asks from now on who listens, so that the entries last as long as they do. */
  follow(listening: () => Iterable<Listening>, everyMs?: number): void;
  stop(): Promise<void>;
}

/** Much less than the pause that ends an entry. */
const FOLLOW_EVERY_MS = 15_000;
const OF_FLEET: ReadonlySet<LookKind> = new Set(FLEET_LOOKS);

const lookerOf = ({ accountId, kind, userId }: Session): Looker => ({
  ...{ accountId, userId, via: kind === 'api-token' ? 'api-token' : 'session' },
});

export function openLooks(http: Http, context: Context, parts: LookParts): Looks {
  const { directory, driving, roster, visibility } = parts;
  const ledger = createLedger(context);
  let timer: NodeJS.Timeout | null = null;

  /** Nobody spies on themselves. */
  const isOther = (viewer: Pick<Viewer, 'userId'>, driver: RosterDriver | null | undefined): driver is RosterDriver =>
    driver != null && driver.userId !== viewer.userId;
  const looksNow = function* (viewer: Viewer, kind: LookKind, vehicles: Iterable<DirectoryEntry | null>) {
    for (const vehicle of vehicles) {
      const driver = vehicle && driving.of(vehicle)?.driver;
      if (isOther(viewer, driver)) yield { driverId: driver.id, kind, period: null } satisfies Look;
    }
  };

  const looksAt = async (viewer: Viewer, { drivers = [], kind, now = [], seen = [] }: Shown): Promise<Look[]> => {
    const { accountId } = viewer;
    const looks: Look[] = [...looksNow(viewer, kind, now)];
    const own = roster.driverOfUser(accountId, viewer.userId)?.id;
    for (const { driverId, period } of drivers) if (driverId !== own) looks.push({ driverId, kind, period });
    for (const [driver, period] of await whoDrove(context, parts, accountId, seen)) {
      const vehicles = seen.map(({ vehicle }) => vehicle);
      // Of a vehicle that they see because of its driver, they got that driver's positions only.
      const isSeen = vehicles.some(vehicle => visibility.seesDrivenBy(viewer, vehicle, driver.id));
      if (isSeen && isOther(viewer, driver)) looks.push({ driverId: driver.id, kind, period });
    }
    return looks;
  };

  const record: Looks['record'] = async (viewer, looker, shown) => {
    const looks = await looksAt(viewer, shown);
    if (OF_FLEET.has(shown.kind)) ledger.note(looker, looks);
    else await ledger.record(looker, looks);
  };

  http.onAnswer(async (route, call, answer) => {
    const shownBy = LOOKS_OF_ROUTES.get(route);
    if (!shownBy) return;
    const { session } = call;
    await record(session, lookerOf(session), await shownBy(call as never, answer as never, parts));
  });

  /** The driver whose place an alert says; null if it says none, or it is the reader's own. */
  const driverIn = ({ accountId, userId }: Looker, { deviceId, driver, lat }: Alert): number | null => {
    if (lat === null) return null;
    // Where a task is that has no vehicle is nobody's position.
    if (deviceId === null) return null;
    const driverId = driver ? Number(driver.id) : (directory.findById(Number(deviceId))?.usualDriverId ?? null);
    const own = userId === null ? null : roster.driverOfUser(accountId, userId);
    return driverId === own?.id ? null : driverId;
  };
  const sent: Looks['sent'] = (to, alerts) =>
    ledger.record(
      to,
      alerts.flatMap((alert): Look[] => {
        const driverId = driverIn(to, alert);
        const at = Date.parse(alert.openedAt);
        return driverId === null ? [] : [{ driverId, kind: 'alert', period: { fromMs: at, toMs: at } }];
      }),
    );

  const followAll = async (listening: Iterable<Listening>): Promise<void> => {
    for (const { imeis, session } of listening) {
      const looks = await mapInTurns(imeis, imei => [...looksNow(session, 'map', [directory.findByImei(imei)])]);
      ledger.note(lookerOf(session), looks.flat());
    }
  };

  return {
    ledger,
    record,
    sent,
    hears: (session, alert) => {
      const looker = lookerOf(session);
      const driverId = driverIn(looker, alert);
      if (driverId !== null) ledger.note(looker, [{ driverId, kind: 'alerts', period: null }]);
    },
    crossed: async (session, vehicle, atMs, isLive) => {
      const looker = lookerOf(session);
      if (isLive) return ledger.note(looker, looksNow(session, 'map', [vehicle]));
      const seen = [{ vehicle, period: { fromMs: atMs, toMs: atMs } }];
      return record(session, looker, { kind: 'trips', seen });
    },
    listens: (session, vehicle) => ledger.note(lookerOf(session), looksNow(session, 'map', [vehicle])),
    follow: (listening, everyMs = FOLLOW_EVERY_MS) => {
      timer = setInterval(() => {
        followAll([...listening()]).catch((error: unknown) =>
          context.log.error({ err: error }, 'Could not note who watches live positions'),
        );
      }, everyMs);
      timer.unref();
    },
    stop: async () => {
      if (timer) clearInterval(timer);
      await ledger.stop();
    },
  };
}
