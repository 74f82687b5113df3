import type { Command } from '@milepost/contract';
import { expect } from 'vitest';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from './control-password.ts';
import type { TestHttpServer } from './http-server.ts';
import { addNamedVehicle } from './organisation.ts';
import { type Person, person } from './people.ts';
import { receivedPosition, storePositions } from './stored-positions.ts';

export const STOP = { action: 'engineStop', mode: 'immediate' } as const;
export type Wanted = { readonly action: string; readonly mode?: string };

let vehicles = 0;

export type TwoPeople = Awaited<ReturnType<typeof twoPeople>>;

/**
 * An owner and an admin of an account with a control password, and a parked vehicle whose tracker accepts every
 * command.
 */
export async function twoPeople(server: TestHttpServer) {
  const first = await person(server);
  const second = await person(server, { accountId: first.accountId, role: 'admin' });
  await setTestControlPassword(server, first);
  const vehicle = await addNamedVehicle(server, first.accountId, `Truck ${++vehicles}`);
  const { imei } = vehicle;
  const told: string[] = [];

  /** Sends a report from the vehicle's tracker; parked unless fields say otherwise. */
  const reports = (fields: Parameters<typeof receivedPosition>[1] = {}, at = Date.now() - 500) =>
    storePositions(server, first.accountId, Number(vehicle.id), [receivedPosition(at, fields)]);
  const confirm = (who: Person, wanted: Wanted = STOP, more: object = {}) =>
    who.call('POST', 'confirm_control_pass', { ...wanted, imei, controlPassword: TEST_CONTROL_PASSWORD, ...more });
  const grantOf = async (who: Person, wanted?: Wanted, more?: object) =>
    ((await confirm(who, wanted, more)).body as { grant?: string }).grant ?? '';
  const ask = async (who: Person, wanted: Wanted = STOP) =>
    who.call('POST', 'command', { ...wanted, imei, reason: 'stolen', grant: await grantOf(who, wanted) });
  const asked = async (who: Person, wanted?: Wanted): Promise<Command> => {
    const { status, body } = await ask(who, wanted);
    expect([status, body]).toMatchObject([201, { state: 'awaiting-second', sent: 0, confirmedBy: null }]);
    return body as Command;
  };
  const agreeWith = (who: Person, { id }: Command, grant: string) => who.call('POST', `command/${id}/agree`, { grant });
  const agree = async (who: Person, command: Command, wanted: Wanted = STOP) =>
    agreeWith(who, command, await grantOf(who, wanted, { commandId: command.id }));
  const read = async ({ id }: Command) => (await first.call('GET', `command/${id}`)).body as Command;
  const lastStep = async (command: Command) => {
    const { state, reason } = (await read(command)).steps.at(-1) ?? {};
    return [state, reason];
  };
  const hangUp = (): void => {
    const connection = server.connections.find(imei);
    if (connection) server.connections.remove(connection);
  };

  await reports();
  server.connections.add({
    imei,
    identity: imei,
    vehicleId: Number(vehicle.id),
    protocol: 'suntech',
    address: null,
    encode: text => Buffer.from(text),
    send: bytes => void told.push(Buffer.from(bytes).toString()),
    close: () => {},
  });
  return {
    ...{ first, second, vehicle, told, reports, confirm, grantOf, ask, asked },
    ...{ agreeWith, agree, read, lastStep, hangUp },
  };
}

/** The same user in another session of this kind. */
export async function inAnotherSession(
  server: TestHttpServer,
  who: Person,
  columns: { kind?: 'api-token'; read_only?: true } = {},
): Promise<Person> {
  const { token, sessionId } = await server.sessions.open(who);
  await server.context.db.system
    .updateTable('session')
    .set({ read_only: false, ...columns })
    .where('id', '=', sessionId)
    .execute();
  const call: Person['call'] = (method, path, body) =>
    server.call(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) });
  return { ...who, token, sessionId, call };
}

/** `409 command-decided`, or `200 ok`. */
export const outcome = ({ status, body }: { readonly status: number; readonly body: unknown }): string =>
  `${status} ${(body as { code?: string }).code ?? 'ok'}`;
