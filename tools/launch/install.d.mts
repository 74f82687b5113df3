/** The checkout. */
export const ROOT: string;
/** The Node that everything but the launcher runs under. */
export const PINNED_NODE: string;
/** Installs the packages when they are missing or not those of the lock file. Says so on standard error only. */
export function installWhatIsMissing(): Promise<void>;
/** Whether this is an unpacked release, in which packages and web app are complete. */
export function isRelease(): boolean;
