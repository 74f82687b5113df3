export interface LiveMessage {
  readonly topic: string;
  /** Whose vehicle it is: only subscribers of that account hear it, whatever their subscription says (invariant I2). */
  readonly accountId: number;
  /** A newer message replaces an older one of the same topic and kind that was not sent yet. */
  readonly kind: string;
  readonly payload: string;
}

/** Takes live messages to those who subscribed to their topics. */
export interface LiveMessages {
  /** Someone listens: it is worth making a message. */
  isWatched(topic: string): boolean;
  publish(messages: readonly LiveMessage[]): void;
}
