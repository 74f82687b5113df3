/**
 * When the driver made an entry, as far as the phone knows: `notAfter` is the server's time that showed it to be too
 * late. Both are ISO 8601 in UTC. Apart from `entry.ts`, because the first screen needs no chain of hashes.
 */
export const momentOf = ({ at, notAfter }: { readonly at: string; readonly notAfter?: string | undefined }): string =>
  notAfter !== undefined && notAfter < at ? notAfter : at;
