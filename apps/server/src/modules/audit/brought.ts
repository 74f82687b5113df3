/** When an import brought it; nothing for what happened here. */
export const broughtAt = ({ brought_at: at }: { readonly brought_at: Date | null }): { readonly broughtAt?: string } =>
  at === null ? {} : { broughtAt: at.toISOString() };
