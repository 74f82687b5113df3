/** Of what an import brought, when it did; nothing of what happened here. */
export const broughtAt = ({ brought_at: at }: { readonly brought_at: Date | null }): { readonly broughtAt?: string } =>
  at === null ? {} : { broughtAt: at.toISOString() };
