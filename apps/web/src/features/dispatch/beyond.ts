/** The moments of a span that lie on other days than the one shown; null where it begins or ends on that day. */
export const beyond = (
  span: { readonly fromMs: number; readonly toMs: number },
  day: { readonly fromMs: number; readonly toMs: number },
): { readonly sinceMs: number | null; readonly untilMs: number | null } => ({
  sinceMs: span.fromMs < day.fromMs ? span.fromMs : null,
  untilMs: span.toMs > day.toMs ? span.toMs : null,
});
