import type { AssignedTask } from '@milepost/contract';
import { SOCKET_EVENTS } from '@milepost/contract';
import { onEveryNode } from '../../bus/every-node.ts';
import type { Context } from '../../context.ts';
import type { AskHandlers } from '../../realtime/sockets/ask.ts';
import { listeners, type SocketParts } from '../../realtime/sockets/listeners.ts';
import { holds, type SocketClient } from '../../realtime/sockets/socket-clients.ts';
import { seesAlert } from '../alerts/audience.ts';
import { seesOther, toldTo } from '../alerts/store.ts';
import type { Looks } from '../privacy/looks.ts';
import type { Tasks } from '../tasks/tasks.ts';

/** The namespace `/eld`: changes of alerts and commands, and tasks for drivers. */
export function serveVehicleEvents(
  context: Context,
  parts: SocketParts & { readonly tasks: Tasks; readonly looks: Pick<Looks, 'hears'> },
): Pick<AskHandlers<'/eld'>, 'assignedTaskToDriver'> {
  const { signals } = context;
  const { clients, looks, roster, tasks } = parts;
  const { told } = SOCKET_EVENTS['/eld'];

  signals.on('alert-changed', ({ accountId, about, alert }) => {
    for (const { outbox, session } of clients.of('/eld', accountId)) {
      if (!holds(session, told.alert_changed.access) || !seesAlert(session, about, parts)) continue;
      looks.hears(session, alert);
      outbox.offer(`alert ${alert.id}`, 'alert_changed', toldTo(alert, seesOther(session, parts)));
    }
  });
  onEveryNode(context, 'command-changed', ({ command, ...of }) => {
    for (const { outbox } of listeners(parts, '/eld', of, told.command_changed.access)) {
      outbox.offer(`command ${command.id}`, 'command_changed', command);
    }
  });

  const connectionsOf = function* (accountId: number, userId: string | null): Iterable<SocketClient> {
    if (userId === null) return;
    for (const client of clients.of('/eld', accountId)) if (client.session.userId === userId) yield client;
  };
  const send = ({ outbox }: SocketClient, task: AssignedTask): void =>
    outbox.offer(`task ${task.taskId}`, 'assignedTaskToDriver', task);
  onEveryNode(context, 'task-assigned', ({ accountId, driverId, task }) => {
    for (const client of connectionsOf(accountId, roster.driver(accountId, driverId)?.userId ?? null)) {
      send(client, task);
    }
  });
  // What a driver has not answered is there again when their connection is.
  clients.onArrival('/eld', client => {
    tasks.waitingFor(client.session).then(
      waiting => {
        for (const task of waiting) send(client, task);
      },
      (error: unknown) => context.log.error({ err: error }, 'Could not read the tasks of a driver who is back'),
    );
  });

  return {
    assignedTaskToDriver: async ({ session, socket }, task) => {
      const author = {
        ...{ accountId: session.accountId, userId: session.userId, userName: session.userName },
        address: socket.handshake.address,
        via: session.kind === 'api-token' ? 'api-token' : 'session',
      } as const;
      await tasks.assign({ session, author }, task);
      const driver = roster.driver(session.accountId, Number(task.driverId));
      const delivered = driver === null ? 0 : [...connectionsOf(session.accountId, driver.userId)].length;
      return { delivered };
    },
  };
}
