import type { AssignedTask } from '@milepost/contract';
import { SOCKET_EVENTS } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AskHandlers } from '../../realtime/sockets/ask.ts';
import { listeners, type SocketParts } from '../../realtime/sockets/listeners.ts';
import { isFor } from '../alerts/audience.ts';
import { audit } from '../audit/audit.ts';

/** The namespace `/eld`: changes of alerts and commands, and tasks for drivers. */
export function serveVehicleEvents(
  context: Context,
  parts: SocketParts,
): Pick<AskHandlers<'/eld'>, 'assignedTaskToDriver'> {
  const { db, signals } = context;
  const { clients, directory, roster, visibility } = parts;
  const { told } = SOCKET_EVENTS['/eld'];

  signals.on('alert-changed', ({ alert, ...of }) => {
    for (const { outbox, session } of listeners(parts, '/eld', of, told.alert_changed.access)) {
      const vehicle = directory.findById(of.vehicleId);
      const driverId = alert.driver === null ? null : Number(alert.driver.id);
      const isSeen = vehicle !== null && visibility.seesDrivenBy(session, vehicle, driverId);
      if (isSeen && isFor(session, alert)) outbox.offer(`alert ${alert.id}`, 'alert_changed', alert);
    }
  });
  signals.on('command-changed', ({ command, ...of }) => {
    for (const { outbox } of listeners(parts, '/eld', of, told.command_changed.access)) {
      outbox.offer(`command ${command.id}`, 'command_changed', command);
    }
  });

  return {
    assignedTaskToDriver: async ({ session, socket }, task) => {
      const { accountId, userId, userName } = session;
      const driver = roster.driver(accountId, Number(task.driverId));
      if (!driver || !visibility.seesDriver(session, driver)) throw new AppError('not-found');
      const { vehicleImei } = task;
      if (vehicleImei && !visibility.sees(session, directory.findByImei(vehicleImei))) throw new AppError('not-found');
      const author = {
        ...{ accountId, userId, userName, address: socket.handshake.address },
        via: session.kind === 'api-token' ? 'api-token' : 'session',
      } as const;
      const target = { id: driver.id, name: driver.name };
      const changes = [{ field: 'title', from: null, to: task.title }];
      await db.asAccount(accountId, trx => audit(trx, author, { action: 'task.assigned', target, changes }));

      const given: AssignedTask = { ...task, assignedBy: userId, assignedAt: new Date().toISOString() };
      let delivered = 0;
      for (const client of clients.of('/eld', accountId)) {
        if (driver.userId === null || client.session.userId !== driver.userId) continue;
        client.outbox.offer(`task ${task.taskId}`, 'assignedTaskToDriver', given);
        delivered++;
      }
      return { delivered };
    },
  };
}
