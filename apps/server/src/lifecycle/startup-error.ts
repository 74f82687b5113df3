/** Milepost can't start, for a reason that its operator can cure: the message is the sentence they read. */
export class StartupError extends Error {
  override name = 'StartupError';
}
