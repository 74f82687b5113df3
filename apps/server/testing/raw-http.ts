import { connect } from 'node:net';

const TIMEOUT_MS = 1000;

/** A GET with its path and headers sent unchanged, where a client would normalize them. */
export const rawGet = (url: string, path: string, headers = 'Connection: close\r\n', timeoutMs = TIMEOUT_MS) =>
  raw(url, `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${headers}\r\n`, timeoutMs);

/**
 * Sends text that no HTTP client would. Returns what the server sent until it closed the connection or was silent for
 * too long.
 */
export function raw(url: string, text: string, timeoutMs = TIMEOUT_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on('data', chunk => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
