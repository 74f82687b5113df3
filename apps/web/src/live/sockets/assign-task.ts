import type { AskedOn } from '@milepost/contract';
import { loadChunk } from '../../base/chunks/load-chunk.ts';

type AssignTask = AskedOn<'/eld'>['assignedTaskToDriver'];

/** Gives a driver a task [R7.36]; answers how many of their connections have it now. Rejects with `SocketError`. */
export async function assignTaskToDriver(task: AssignTask['payload']): Promise<AssignTask['answer']> {
  const { sockets } = await loadChunk(() => import('./sockets.ts'));
  return sockets.ask('/eld', 'assignedTaskToDriver', task);
}
