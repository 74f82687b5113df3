/** When it was imported; nothing if it happened here. */
export const importedAt = ({
  imported_at: at,
}: {
  readonly imported_at: Date | null;
}): { readonly importedAt?: string } => (at === null ? {} : { importedAt: at.toISOString() });
