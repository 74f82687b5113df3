import type { EpochMs } from '@milepost/units';
import type { DecodedMessage, HttpProtocol, HttpReport } from '../protocol.ts';
import { readDocument } from './json.ts';
import { readReport } from './query.ts';

/** More than a phone sends after saving a day of fixes. */
const MAX_BODY_BYTES = 1_048_576;
const MAX_QUERY_CHARACTERS = 16_384;

const FORM = /^[\w.-]{1,64}=/;

const error = (at: number, code: 'bad-field' | 'too-long' = 'bad-field'): readonly DecodedMessage[] => [
  { kind: 'error', code, at: Math.max(0, at) },
];

function decodeRequest(request: HttpReport, receivedAt: EpochMs): readonly DecodedMessage[] {
  const { method, query, contentType, body } = request;
  if (query.length > MAX_QUERY_CHARACTERS) return error(MAX_QUERY_CHARACTERS, 'too-long');
  if (body.length > MAX_BODY_BYTES) return error(MAX_BODY_BYTES, 'too-long');
  const posted = method.toUpperCase() === 'POST' ? body.trim() : '';
  // Some programs post a form with the type of JSON.
  const json = /^[{[]/.test(posted) || (contentType?.toLowerCase().includes('json') && !FORM.test(posted));
  const parameters = new URLSearchParams(query);
  if (posted !== '' && json) {
    const read = decodeJson(posted, parameters, receivedAt);
    return (read[0]?.kind === 'error' ? reportIn(parameters, receivedAt) : null) ?? read;
  }
  for (const [name, value] of new URLSearchParams(posted)) parameters.append(name, value);
  const read = readReport(parameters, receivedAt);
  return 'bad' in read ? error(`${query}&${posted}`.indexOf(`${read.bad}=`)) : read;
}

/** The report of a query whose document is none, such as `{}`; null if it has no position. */
function reportIn(parameters: URLSearchParams, receivedAt: EpochMs): readonly DecodedMessage[] | null {
  const read = readReport(parameters, receivedAt);
  return 'bad' in read || !read.some(({ kind }) => kind === 'position') ? null : read;
}

function decodeJson(text: string, query: URLSearchParams, receivedAt: EpochMs): readonly DecodedMessage[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return error(0);
  }
  const read = readDocument(
    document,
    query.get('id') ?? query.get('deviceid') ?? query.get('device_id') ?? query.get('imei'),
    receivedAt,
  );
  return 'bad' in read ? error(text.indexOf(read.bad)) : read;
}

export const osmand: HttpProtocol = { name: 'osmand', maxBodyBytes: MAX_BODY_BYTES, decodeRequest };
