import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';
import { folderStore } from './store/folder.ts';
import { type Bucket, s3Store } from './store/s3.ts';
import type { Store } from './store/store.ts';

/** Where a backup is kept. */
export const placeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), folder: z.string().refine(isAbsolute) }),
  z.object({
    kind: z.literal('s3'),
    endpoint: z.url({ protocol: /^https?$/ }),
    region: z.string(),
    bucket: z.string(),
    prefix: z.string(),
    accessKey: z.string(),
    secretKey: z.string(),
  }),
]);
export type BackupPlace = z.infer<typeof placeSchema>;

export const openStore = (place: BackupPlace): Store =>
  place.kind === 'folder' ? folderStore(place.folder) : s3Store(place);

export const placeName = (place: BackupPlace): string =>
  place.kind === 'folder' ? place.folder : `s3://${place.bucket}/${place.prefix}`;

export interface PlaceOptions {
  readonly endpoint?: string;
  readonly region?: string;
  readonly accessKey?: string;
  readonly secretKey?: string;
}

/** A place as it is typed on a command line: a folder, or `s3://bucket/prefix` with the rest beside it. */
export function parsePlace(text: string, options: PlaceOptions): BackupPlace {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(text) ?? [];
  if (bucket === undefined) {
    if (!isAbsolute(text)) throw new BackupError(`Enter the whole path of the folder, from the root: ${text}`);
    return { kind: 'folder', folder: text };
  }
  const { endpoint, region = 'us-east-1', accessKey, secretKey } = options;
  if (!endpoint || !URL.canParse(endpoint)) {
    throw new BackupError(
      'Say where the store is: --endpoint https://s3.eu-central-1.amazonaws.com --region eu-central-1',
    );
  }
  if (!accessKey || !secretKey) {
    throw new BackupError('Set BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY to the keys of the store.');
  }
  const found: Bucket = { endpoint, region, bucket, prefix: prefix.replace(/\/+$/, ''), accessKey, secretKey };
  return { kind: 's3', ...found };
}
