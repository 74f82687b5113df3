import { epochMs } from '@milepost/units';
import { isMotion, missingIn } from './possible.ts';
import {
  type DatagramProtocol,
  DECODE_ERROR_CODES,
  type DecodedMessage,
  type HttpProtocol,
  type HttpReport,
  type Session,
  type StreamProtocol,
} from './protocol.ts';

/** Checks that must pass for any input (invariant I3); a failing check throws. */

export const SESSION: Session = { imei: '352093081452251', receivedAt: epochMs(Date.UTC(2026, 0, 15)) };
/**
 * The decoded JSON may be this many times longer than its bytes, because attribute names are longer than the values in
 * the frame.
 */
const GROWTH = 400;
const SLACK = 4000;

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function checkMessages(messages: readonly DecodedMessage[], bytes: number): void {
  must(messages.length <= bytes + 2, `${messages.length} messages from ${bytes} bytes`);
  const size = JSON.stringify(messages).length;
  must(size <= GROWTH * bytes + SLACK, `${size} characters from ${bytes} bytes`);
  for (const message of messages) {
    if (message.kind === 'position')
      must(missingIn(message) === null && isMotion(message), `an impossible position: ${JSON.stringify(message)}`);
    if (message.kind !== 'error') continue;
    must(DECODE_ERROR_CODES.includes(message.code), `unknown error code ${message.code}`);
    must(message.at >= 0 && message.at <= bytes, `error at ${message.at} of ${bytes} bytes`);
  }
}

/** Reads the bytes to the end, as a connection would. */
export function checkStream(protocol: StreamProtocol, bytes: Uint8Array): number {
  let at = 0;
  let frames = 0;
  while (at < bytes.length) {
    const rest = bytes.subarray(at);
    const scan = protocol.nextFrame(rest);
    if (scan.status === 'more') {
      must(rest.length < protocol.maxFrameBytes, 'waits for more than the longest frame');
      break;
    }
    must(scan.end > 0 && scan.end <= rest.length, `a step of ${scan.end} in ${rest.length} bytes`);
    if (scan.status === 'frame') {
      must(scan.end <= protocol.maxFrameBytes, `a frame of ${scan.end} bytes`);
      checkMessages(protocol.decode(rest.subarray(0, scan.end), SESSION).messages, scan.end);
      frames++;
    }
    at += scan.end;
  }
  // A decoder must survive bytes that framing would never pass to it.
  checkMessages(protocol.decode(bytes, SESSION).messages, bytes.length);
  return frames;
}

export function checkDatagram(protocol: DatagramProtocol, bytes: Uint8Array): void {
  checkMessages(protocol.decodeDatagram(bytes, SESSION.receivedAt).messages, bytes.length);
}

export function checkRequest(protocol: HttpProtocol, request: HttpReport): void {
  checkMessages(protocol.decodeRequest(request, SESSION.receivedAt), request.query.length + request.body.length + 1);
}
