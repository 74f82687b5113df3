import type { Alert } from '@milepost/contract';
import { useMemo, useState } from 'react';
import { isRequest } from '../../alerts/DecideLink.tsx';

export interface Requests {
  /** Commands that wait for this user's decision, including those decided while the page is open. */
  readonly commandIds: readonly string[];
  /** Whether a command is waiting right now. */
  readonly wait: boolean;
  /** All alerts that need no decision. */
  readonly others: readonly Alert[] | undefined;
}

/** Splits alerts into those that need a decision and the others. Decisions made while the page is open stay listed. */
export function useRequests(alerts: readonly Alert[] | undefined): Requests {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const waiting = useMemo(() => (alerts ?? []).filter(isRequest).flatMap(({ commandId }) => commandId ?? []), [alerts]);
  const news = waiting.filter(id => !seen.includes(id));
  if (news.length > 0) setSeen([...seen, ...news]);
  const others = useMemo(() => alerts?.filter(alert => !isRequest(alert)), [alerts]);
  return { commandIds: seen, wait: waiting.length > 0, others };
}
