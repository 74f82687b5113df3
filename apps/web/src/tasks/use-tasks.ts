import {
  cancelTask,
  createTask,
  deleteTask,
  listTasks,
  type NewTask,
  type RouteInput,
  type Task,
  updateTask,
} from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { queryClient } from '../base/queries.ts';

/** Open tasks, plus those due or finished in the period. */
export const tasksQuery = (fromMs: number, toMs: number) =>
  queryOptions({
    queryKey: ['tasks', fromMs, toMs],
    queryFn: () =>
      call(listTasks, { query: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() } }),
  });

const refresh = async (task: Task): Promise<Task> => {
  await queryClient.invalidateQueries({ queryKey: ['tasks'] });
  return task;
};

export const addTask = async (body: NewTask): Promise<Task> => refresh(await call(createTask, { body }));
export const changeTask = async (id: string, body: RouteInput<typeof updateTask>['body']): Promise<Task> =>
  refresh(await call(updateTask, { params: { id }, body }));
export const endTask = async (id: string, reason: string): Promise<Task> =>
  refresh(await call(cancelTask, { params: { id }, body: { reason } }));
export async function removeTask(id: string): Promise<void> {
  await call(deleteTask, { params: { id } });
  await queryClient.invalidateQueries({ queryKey: ['tasks'] });
}
