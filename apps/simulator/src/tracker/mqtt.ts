import { deviceTopic, type TrackerPositionReport, userTopic } from '@milepost/contract';
import type { PositionMessage } from '@milepost/decoders';
import { toKilometres, toKilometresPerHour } from '@milepost/units';
import { connectAsync } from 'mqtt';
import { type OpenLink, withinTimeout } from './link.ts';
import { type Order, taskOf } from './order.ts';

/** Client id and user name are the IMEI, the password is the device key; QoS 1 is acknowledged after the commit. */
export const mqttOverTcp =
  (host: string, port: number, imei: string, deviceKey: string): OpenLink =>
  async onOrder => {
    const client = await connectAsync({
      host,
      port,
      clientId: imei,
      username: imei,
      password: deviceKey,
      reconnectPeriod: 0,
      connectTimeout: 10_000,
    });
    client.on('error', () => {});
    const broken = new Promise<never>((_, reject) =>
      client.once('close', () => reject(new Error('Connection closed'))),
    );
    broken.catch(() => {});
    client.on('message', (_topic, payload) => {
      const order = orderIn(payload.toString(), answer =>
        client.publish(deviceTopic(imei), JSON.stringify(answer), { qos: 1 }),
      );
      if (order) onOrder?.(order);
    });
    await client.subscribeAsync(userTopic(imei), { qos: 1 });
    return {
      send: async positions => {
        const published = positions.map(position =>
          client.publishAsync(deviceTopic(imei), JSON.stringify(reportOf(position)), { qos: 1 }),
        );
        await withinTimeout(Promise.race([Promise.all(published), broken]), 'An acknowledgement');
      },
      close: () => client.end(true),
    };
  };

/**
 * A command is an action alone, or an object with the action, its parameters and a number that the answer repeats. The
 * answer contains the action; one of them is spelled as in the specification [R7.33].
 */
export function orderIn(payload: string, publish: (answer: object) => void): Order | null {
  const command = commandIn(payload);
  if (command === null) return null;
  const { action, params = {}, id } = command;
  const confirmed = action === 'setAuthPhone' ? 'setAuthPhoneConfimed' : `${action}Confirmed`;
  return {
    task: taskOf(action, params),
    answer: done =>
      publish({
        action: done ? confirmed : `${action}Refused`,
        ...(id === undefined ? {} : { id }),
        ...(done ? {} : { answer: 'not allowed here' }),
      }),
  };
}

interface Command {
  readonly action: string;
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  readonly id?: number;
}

function commandIn(payload: string): Command | null {
  if (/^[A-Za-z]{1,40}$/.test(payload)) return { action: payload };
  try {
    const value = JSON.parse(payload) as Partial<Command> | null;
    return typeof value?.action === 'string' ? (value as Command) : null;
  } catch {
    return null;
  }
}

function reportOf(position: PositionMessage): TrackerPositionReport {
  const at = new Date(position.time).toISOString();
  return {
    action: 'positionReport',
    eventType: position.event,
    fuelGage: position.fuel,
    gpsStatus: position.valid ? 'A' : 'V',
    gsmStatus: position.gsm,
    ignitionStatus: position.ignition === null ? null : position.ignition ? 1 : 0,
    lat: position.lat,
    lon: position.lon,
    mileage: position.odometer === null ? null : toKilometres(position.odometer),
    reportDate: at.slice(0, 10),
    reportTime: at.slice(11, 19),
    rfid: position.rfid,
    speed: position.speed === null ? 0 : Math.round(toKilometresPerHour(position.speed) * 10) / 10,
    temp: position.temperature,
    course: position.course,
    altitude: position.altitude,
    hdop: position.hdop,
    satellites: position.satellites,
  };
}
