import { readTaskFile, type Task } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../base/api.ts';
import { useOutbox } from '../phone/phone-outbox.ts';

const FRESH_MS = 24 * 3_600_000;

/** A photo by its number from 0, or the signature. */
export type ProofPart = number | 'signature';

/**
 * A photo or the signature of a driver's own task: as stored on this phone until it is sent, afterward from the server.
 * Undefined while it loads, and without a network if this page never had it.
 */
export function useProofFile({ id, proof }: Pick<Task, 'id' | 'proof'>, part: ProofPart): Blob | undefined {
  const waiting = useOutbox(state => state.waiting);
  const total = proof?.photos ?? 0;
  const local = useMemo(() => {
    const files = waiting.flatMap(({ what }) => (what.kind === 'task-proof' && what.taskId === id ? [what] : []));
    if (part === 'signature') return files.findLast(({ proof: kind }) => kind === 'signature')?.file;
    const photos = files.filter(({ proof: kind }) => kind === 'photo');
    // The server's come first: what waits gets the numbers after them.
    return photos[part - (total - photos.length)]?.file;
  }, [waiting, id, part, total]);
  const client = useQueryClient();
  const name = String(part);
  useEffect(() => {
    // Stays on the screen while it is sent. Old at once, so that the server's takes its place.
    if (local) client.setQueryData(['task-proof', id, name], local, { updatedAt: 0 });
  }, [client, id, name, local]);
  const { data } = useQuery({
    queryKey: ['task-proof', id, name],
    queryFn: () => call(readTaskFile, { params: { id, part: name } }),
    enabled: local === undefined,
    staleTime: FRESH_MS,
  });
  return local ?? data;
}
