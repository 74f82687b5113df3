import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SESSION } from './fuzz-checks.ts';
import { protocols } from './index.ts';
import type { DecodedMessage } from './protocol.ts';
import { SAMPLE_NAMES, type SampleFrame, sampleDrive, sampleOf, sampleText } from './sample-drive.ts';

describe.each(SAMPLE_NAMES)('samples/%s.jsonl', name => {
  const written = readFileSync(new URL(`../../../samples/${name}.jsonl`, import.meta.url), 'utf8');

  it('matches the encoders; otherwise run node packages/decoders/src/cli-samples.ts', () => {
    expect(written).toBe(sampleText(sampleOf(name)));
  });

  it('contains the drive', () => {
    const [, ...frames] = written
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as SampleFrame);
    const { stream, datagram, http } = protocols[name];
    const decode = (bytes: Uint8Array, text: string): readonly DecodedMessage[] =>
      stream?.decode(bytes, SESSION).messages ??
      datagram?.decodeDatagram(bytes, SESSION.receivedAt).messages ??
      http?.decodeRequest({ method: 'GET', query: text, contentType: null, body: '' }, SESSION.receivedAt) ??
      [];
    const messages = frames.flatMap(({ hex, text = '' }) =>
      decode(Buffer.from(hex ?? text, hex ? 'hex' : 'latin1'), text),
    );
    expect(messages.filter(message => message.kind === 'error')).toEqual([]);
    const positions = messages.filter(message => message.kind === 'position');
    expect(positions.map(({ time }) => time)).toEqual(sampleDrive().map(({ time }) => time));
  });
});
