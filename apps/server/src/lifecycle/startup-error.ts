/** Milepost can't start, for a reason that its operator can fix. The message is for the operator. */
export class StartupError extends Error {
  override name = 'StartupError';
}
