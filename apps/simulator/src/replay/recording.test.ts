import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readRecording } from './recording.ts';

const SAMPLES = new URL('../../../../samples/', import.meta.url);

it.each(readdirSync(SAMPLES))('samples/%s is a recording', file => {
  const { protocol, imei, frames } = readRecording(readFileSync(new URL(file, SAMPLES), 'utf8'));
  expect(`${protocol}.jsonl`).toBe(file);
  expect(imei).toBe('352093081452251');
  expect(frames.length).toBeGreaterThanOrEqual(18);
  expect(frames.map(({ atMs }) => atMs)).toEqual(frames.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
});

it.each([
  ['nothing', 'Line 1 of the recording is no JSON.'],
  ['{}', 'The recording’s protocol is undefined, which is none of ours.'],
  ['{"protocol":"gt06","over":"post"}', 'A recording is over tcp, udp or http.'],
  ['{"protocol":"gt06","over":"tcp"}', 'The recording has no frames.'],
  ['{"protocol":"gt06","over":"tcp"}\n{"atMs":0,"hex":"787"}', 'Frame 1 of the recording has no time'],
])('explains the error in %s', (text, sentence) => {
  expect(() => readRecording(text)).toThrow(sentence);
});
