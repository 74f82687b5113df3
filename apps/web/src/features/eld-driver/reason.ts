/** The regulation requires 4 to 60 characters for an annotation (Appendix A, 4.3.2.8.1). */
export const REASON_MAX = 60;
export const isReason = (text: string): boolean => text.trim().length >= 4 && text.trim().length <= REASON_MAX;
