import { ProblemError } from '@milepost/client';

/** The server's one answer to links that have ended, were revoked or never were. */
export const isOver = (error: unknown): boolean => error instanceof ProblemError && error.code === 'share-over';
