import type { AskedOn } from '@milepost/contract';
import { loadChunk } from '../../base/chunks/load-chunk.ts';

type AssignTask = AskedOn<'/eld'>['assignedTaskToDriver'];

/**
 * Assigns a task to a driver [R7.36]. Returns how many of the driver's connections received it. Rejects with
 * `SocketError`.
 */
export async function assignTaskToDriver(task: AssignTask['payload']): Promise<AssignTask['answer']> {
  const { sockets } = await loadChunk(() => import('./sockets.ts'));
  return sockets.ask('/eld', 'assignedTaskToDriver', task);
}
