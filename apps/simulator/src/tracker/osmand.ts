import { Agent, request } from 'node:http';
import { osmandEncode } from '@milepost/decoders';
import { type OpenLink, withinTimeout } from './link.ts';

/** Concurrent requests while the phone sends stored positions. */
const PARALLEL = 12;

/** A phone: one request per position, answered with 200 once it is committed. */
export const osmandOverHttp =
  (host: string, port: number, imei: string): OpenLink =>
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
    const ask = (query: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const call = request({ agent, host, port, method: 'POST', path: `/?${query}` }, response => {
          response.resume();
          response.on('end', () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`The server answered ${response.statusCode}`)),
          );
        });
        call.on('error', reject);
        call.end();
      });
    return {
      send: async positions => {
        await withinTimeout(
          Promise.all(positions.map(position => ask(osmandEncode.encodeQuery(imei, position)))),
          'An answer',
        );
      },
      close: () => agent.destroy(),
    };
  };
