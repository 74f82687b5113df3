import { setTimeout as sleep } from 'node:timers/promises';
import { S3mini } from 's3mini';
import { BackupError } from '../backup-error.ts';
import type { Store } from './store.ts';

/** A bucket of Amazon S3 or of any store that speaks its protocol (Backblaze, Wasabi, Cloudflare, MinIO, Garage, Ceph). */
export interface Bucket {
  /** `https://s3.eu-central-1.amazonaws.com`, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Names begin with it; empty for the whole bucket. */
  readonly prefix: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

const TRIES = 4;
const FIRST_WAIT_MS = 500;
const TIMEOUT_MS = 120_000;
const PAGE = 1000;
const NO_BUCKET = 'there is no such bucket. Create it, or correct its name and the address of the store.';

export function s3Store({ endpoint, region, bucket, prefix, accessKey, secretKey }: Bucket): Store {
  const place = `s3://${bucket}/${prefix}`;
  const client = new S3mini({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    endpoint: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    region,
    requestAbortTimeout: TIMEOUT_MS,
  });
  const below = prefix === '' ? '' : `${prefix.replace(/^\/+|\/+$/g, '')}/`;

  /** Stores fail for moments, and say so. */
  const trying = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === TRIES || isFinal(error))
          throw new BackupError(`${place}: ${reasonOf(error)}`, { cause: error });
        await sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
    }
  };

  return {
    place,
    put: (name, bytes) =>
      trying(async () => {
        await client.putObject(below + name, bytes, 'application/octet-stream');
      }),
    get: name =>
      trying(async () => {
        const answer = await client.getObjectArrayBuffer(below + name);
        return answer === null ? null : Buffer.from(answer);
      }),
    list: async function* (start) {
      let token: string | undefined;
      do {
        const from = token;
        const page = await trying(() => client.listObjectsPaged('/', below + start, PAGE, from));
        if (page === null) throw new BackupError(`${place}: ${NO_BUCKET}`);
        for (const { Key, Size } of page?.objects ?? []) yield { name: Key.slice(below.length), bytes: Number(Size) };
        token = page?.nextContinuationToken;
      } while (token);
    },
    remove: name =>
      trying(async () => {
        await client.deleteObject(below + name);
      }),
  };
}

const statusOf = (error: unknown): number => Number((error as { readonly status?: unknown }).status ?? 0);
/** Errors that another try does not cure. */
const isFinal = (error: unknown): boolean => {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
};

function reasonOf(error: unknown): string {
  const { serviceCode, message } = error as { readonly serviceCode?: string; readonly message?: string };
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return `the store refuses the access key (${serviceCode ?? status}). Check both keys, and what they may do: read, write, list and delete.`;
  }
  if (status === 404) return NO_BUCKET;
  if (status > 0) return `the store answers ${status} ${serviceCode ?? ''}.`;
  return `the store can't be reached (${message ?? 'no answer'}).`;
}
