import { mapFileNameSchema } from '@milepost/contract';

/** Converts a file's name to one that the server accepts. */
export function fileName(name: string): string {
  const plain = `${name
    .replace(/\.pmtiles$/i, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, 60)}.pmtiles`;
  return mapFileNameSchema.safeParse(plain).success ? plain : 'streets.pmtiles';
}
