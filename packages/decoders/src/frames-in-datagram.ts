import type { EpochMs } from '@milepost/units';
import { join } from './bytes.ts';
import type { DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from './protocol.ts';

type Decode = (frame: Uint8Array, session: Session) => Decoded;

const isFailed = ({ messages }: Decoded): boolean => messages.some(({ kind }) => kind === 'error');
const identityIn = ([first]: readonly DecodedMessage[]): string | null => (first?.kind === 'login' ? first.imei : null);

/**
 * For protocols that are the same over datagrams: some trackers put several frames into one. All of the first
 * frame's tracker are read and answered, the last one even without its end; other bytes after a frame are skipped.
 */
export function eachFrame(nextFrame: StreamProtocol['nextFrame'], decode: Decode): DatagramProtocol['decodeDatagram'] {
  return (sent: Uint8Array, receivedAt: EpochMs): Decoded => {
    let datagram = sent;
    let end = endOf(nextFrame, datagram);
    let first = decode(datagram.subarray(0, end), { imei: null, receivedAt });
    // An empty frame, such as a line end, may come first.
    while (first.messages.length === 0 && end < datagram.length) {
      datagram = datagram.subarray(end);
      end = endOf(nextFrame, datagram);
      first = decode(datagram.subarray(0, end), { imei: null, receivedAt });
    }
    const imei = identityIn(first.messages);
    if (end === datagram.length || imei === null) return first;
    const messages = [...first.messages];
    const answers = [first.acknowledgement];
    for (let rest = datagram.subarray(end); rest.length > 0; ) {
      const scan = nextFrame(rest);
      const length = scan.status === 'more' ? rest.length : scan.end;
      if (scan.status !== 'garbage') {
        const next = decode(rest.subarray(0, length), { imei, receivedAt });
        const own = identityIn(next.messages);
        const isCut = scan.status === 'more' && isFailed(next);
        if (!isCut && (own === null || own === imei)) {
          messages.push(...next.messages.filter(({ kind }) => kind !== 'login'));
          answers.push(next.acknowledgement);
        }
      }
      rest = rest.subarray(length);
    }
    return { messages, acknowledgement: together(answers), refusal: first.refusal };
  };
}

/** Where the first frame ends; a datagram that does not begin with one is decoded as it is. */
function endOf(nextFrame: StreamProtocol['nextFrame'], datagram: Uint8Array): number {
  const scan = nextFrame(datagram);
  return scan.status === 'frame' ? scan.end : datagram.length;
}

function together(answers: readonly (Uint8Array | null)[]): Uint8Array | null {
  const present = answers.filter(answer => answer !== null);
  return present.length === 0 ? null : join(present);
}
