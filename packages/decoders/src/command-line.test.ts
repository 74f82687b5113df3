import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeCommand } from './command-line.ts';
import { GT06_SAMPLES, TELTONIKA_DATAGRAM, TELTONIKA_SAMPLES } from './fuzz-inputs.ts';

const NOW = Date.UTC(2026, 2, 4);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const answer = (args: readonly string[], files: Readonly<Record<string, string>> = {}) => {
  const { lines, error } = decodeCommand(
    args,
    path => {
      const text = files[path];
      if (text === undefined) throw new Error('no such file');
      return text;
    },
    NOW,
  );
  return { objects: lines.map(line => JSON.parse(line) as Record<string, unknown>), lines, error };
};

describe('npm run decode -- --explain', () => {
  const explain = (...args: string[]) => decodeCommand(['--explain', ...args], () => '', NOW);

  it('explains each byte, frame by frame', () => {
    const { lines, error } = explain('gt06', GT06_SAMPLES.slice(0, 2).map(hex).join(''));
    expect(error).toBeNull();
    expect(lines[0]).toMatch(/^ {4}0 {2}7878 +start +0x7878$/);
    expect(lines.filter(line => / packet +0x/.test(line)).map(line => line.split(/0x\d\d /)[1])).toEqual([
      'login',
      'location',
    ]);
    expect(lines.find(line => line.includes('latitude'))).toMatch(/41\.8781°$/);
    expect(lines.find(line => line.includes('checksum'))).toMatch(/right$/);
  });

  it('accepts plain text', () => {
    const { lines } = explain('h02', '*HQ,4109179024,V1,101056,A,2220.5768,N,11402.8034,E,000.00,000,130519,FFFFFBFF#');
    expect(lines.find(line => line.includes('longitude'))).toMatch(/114\.046723°$/);
  });

  it.each([
    [['gt06'], /^Enter a protocol/],
    [['morse', '7878'], /^There is no protocol “morse”/],
    [['gt06', 'x'], /^Give a frame of gt06/],
  ])('explains the error in %j', (args, sentence) => {
    expect(explain(...args).error).toMatch(sentence);
  });
});

describe('npm run decode', () => {
  it('prints one line for each decoded record, times in ISO 8601, with sent values only', () => {
    const { lines, objects, error } = answer(['teltonika', hex(TELTONIKA_SAMPLES[2]!)]);
    expect(error).toBeNull();
    expect(lines[0]).toMatch(
      /^\{"kind":"position","time":"2026-01-15T08:30:05.000Z","valid":true,"lat":41.8781,"lon":-87.6298,"speed":15,"course":271,"altitude":181,/,
    );
    expect(objects).toEqual([
      {
        kind: 'position',
        time: '2026-01-15T08:30:05.000Z',
        valid: true,
        lat: 41.8781,
        lon: -87.6298,
        speed: 15,
        course: 271,
        altitude: 181,
        satellites: 11,
        hdop: 0.8,
        ignition: true,
        odometer: 123_456_789,
        fuel: 64,
        temperature: -4.5,
        gsm: 25,
        event: 'harshBraking',
        rfid: '01000000A1B2C3D4',
        attributes: { movement: true, greenDrivingType: 2, temperature1: -4.5, externalVoltage: 13.84, priority: 1 },
      },
    ]);
    expect(answer(['teltonika', hex(TELTONIKA_SAMPLES[3]!)]).objects).toHaveLength(2);
  });

  it('recognizes login and heartbeat', () => {
    expect(answer(['teltonika', hex(TELTONIKA_SAMPLES[0]!)]).lines).toEqual([
      '{"kind":"login","imei":"352093081452251"}',
    ]);
    expect(answer(['gt06', hex(GT06_SAMPLES[2]!)]).objects).toMatchObject([{ kind: 'heartbeat' }]);
  });

  it('accepts a datagram, several frames in one, spaces and 0x', () => {
    expect(answer(['teltonika', hex(TELTONIKA_DATAGRAM)]).objects.map(({ kind }) => kind)).toEqual([
      'login',
      'position',
    ]);
    expect(answer(['gt06', GT06_SAMPLES.map(hex).join('')]).objects).toHaveLength(4);
    expect(answer(['gt06', '0x78', '78 05 8a 0006 8829 0d0a']).objects).toEqual([
      { kind: 'heartbeat', attributes: {} },
    ]);
  });

  it('reports where a bad frame is wrong, and exits with 0', () => {
    const damaged = hex(GT06_SAMPLES[1]!.with(10, 0x99));
    expect(answer(['gt06', damaged])).toMatchObject({
      objects: [{ kind: 'error', code: 'bad-checksum', at: 39 }],
      error: null,
    });
    const second = `${hex(GT06_SAMPLES[2]!)}${damaged}`;
    expect(answer(['gt06', second]).objects[1]).toMatchObject({ kind: 'error', at: 39 + GT06_SAMPLES[2]!.length });
    expect(answer(['teltonika', 'deadbeef']).objects).toEqual([{ kind: 'error', code: 'bad-field', at: 0 }]);
    expect(answer(['teltonika', hex(TELTONIKA_SAMPLES[2]!.slice(0, -1))]).objects).toMatchObject([{ kind: 'error' }]);
  });

  it('accepts a request with and without its address, and a document', () => {
    const wanted = [
      { kind: 'login', imei: '1' },
      { kind: 'position', lat: 1.5, lon: 2, speed: null },
    ];
    expect(answer(['osmand', '/?id=1&lat=1.5&lon=2']).objects).toMatchObject(wanted);
    expect(answer(['osmand', 'id=1&lat=1.5&lon=2']).objects).toMatchObject(wanted);
    expect(answer(['osmand', 'http://example.org:5055/?id=1&lat=1.5&lon=2']).objects).toMatchObject(wanted);
    const document = { device_id: '1', location: { coords: { latitude: 1.5, longitude: 2 } } };
    expect(answer(['osmand', JSON.stringify(document)]).objects).toMatchObject(wanted);
  });

  it('reads a file with one frame per line and numbers the results from 1', () => {
    const text = `${hex(GT06_SAMPLES[0]!)}\n\n${GT06_SAMPLES.slice(1, 3).map(hex).join('')}\r\n"${hex(GT06_SAMPLES[3]!)}"\n`;
    const { objects, lines, error } = answer(['gt06', '@frames.txt'], { 'frames.txt': text });
    expect(error).toBeNull();
    expect(objects.map(({ frame, kind }) => [frame, kind])).toEqual([
      [1, 'login'],
      [2, 'position'],
      [2, 'heartbeat'],
      [3, 'position'],
    ]);
    expect(lines[0]).toBe('{"frame":1,"kind":"login","imei":"352093081452251"}');
    const requests = '"/?id=1&lat=1&lon=2"\n/?lat=1&lon=2\n';
    expect(answer(['osmand', '@r'], { r: requests }).objects.map(({ frame, kind }) => [frame, kind])).toEqual([
      [1, 'login'],
      [1, 'position'],
      [2, 'error'],
    ]);
  });

  it('reads text, bare or as a JSON string, with or without its terminator', () => {
    const report = '#SD#150126;083005;4152.68678;N;08737.78872;W;54;271;181;11';
    for (const text of [report, JSON.stringify(report), JSON.stringify(`${report}\r\n`)]) {
      expect(answer(['wialon', text]).objects, text).toMatchObject([{ kind: 'position', satellites: 11, speed: 15 }]);
    }
    expect(answer(['suntech', 'ALV;0560001616']).objects).toMatchObject([{ kind: 'login' }, { kind: 'heartbeat' }]);
  });

  it('reads a datagram if the protocol has them', () => {
    expect(answer(['teltonika', hex(TELTONIKA_DATAGRAM)]).objects).toMatchObject([
      { kind: 'login' },
      { kind: 'position' },
    ]);
  });

  it.each([
    [[], 'Enter a protocol ('],
    [['teltonika'], 'Enter a protocol'],
    [['morse', '00'], 'There is no protocol “morse”.'],
    [['toString', '00'], 'There is no protocol “toString”.'],
    [['gt06', 'hello'], 'Give a frame of gt06 as hexadecimal digits'],
    [['gt06', '787'], 'Give a frame of gt06 as hexadecimal digits'],
    [['gt06', '@nowhere'], 'The file nowhere cannot be read.'],
  ])('explains what is wrong with %j', (args, sentence) => {
    const { lines, error } = answer(args);
    expect(lines).toEqual([]);
    expect(error).toContain(sentence);
  });

  it('keeps the results before an invalid line', () => {
    const { objects, error } = answer(['gt06', '@f'], { f: `${hex(GT06_SAMPLES[0]!)}\nhello\n` });
    expect(objects).toHaveLength(1);
    expect(error).toBe('Frame 2 is neither hexadecimal nor text as a JSON string.');
  });
});

describe('the program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'milepost-decode-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const program = fileURLToPath(new URL('cli.ts', import.meta.url));
  const run = promisify(execFile);
  /** Starting a process takes a while on a busy machine. */
  const TIMEOUT_MS = 60_000;

  it(
    'prints lines and ends with 0',
    async () => {
      const file = join(folder, 'frames');
      writeFileSync(file, `${GT06_SAMPLES.map(hex).join('\n')}\n`);
      const { stdout, stderr } = await run(process.execPath, [program, 'gt06', `@${file}`]);
      expect(stdout.trimEnd().split('\n')).toHaveLength(4);
      expect(stderr).toBe('');
    },
    TIMEOUT_MS,
  );

  it(
    'exits with 1 and a message on failure',
    async () => {
      await expect(run(process.execPath, [program, 'gt06', 'x'])).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'Give a frame of gt06 as hexadecimal digits, two for each byte, or as text.\n',
      });
    },
    TIMEOUT_MS,
  );
});
