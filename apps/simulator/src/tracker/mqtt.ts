import { deviceTopic, type TrackerPositionReport } from '@milepost/contract';
import type { PositionMessage } from '@milepost/decoders';
import { toKilometres, toKilometresPerHour } from '@milepost/units';
import { connectAsync } from 'mqtt';
import { type OpenLink, withinPatience } from './link.ts';

/** Client id and user name are the IMEI, the password is the device key; QoS 1 is acknowledged after the commit. */
export const mqttOverTcp =
  (host: string, port: number, imei: string, deviceKey: string): OpenLink =>
  async () => {
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
    return {
      send: async positions => {
        const published = positions.map(position =>
          client.publishAsync(deviceTopic(imei), JSON.stringify(reportOf(position)), { qos: 1 }),
        );
        await withinPatience(Promise.race([Promise.all(published), broken]), 'An acknowledgement');
      },
      close: () => client.end(true),
    };
  };

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
