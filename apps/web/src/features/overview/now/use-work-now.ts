import { isOver, may, type Task } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../base/session/session.ts';
import { boardQuery } from '../../../changes/keep-board.ts';
import { endOfDay, startOfDay } from '../../../format/time.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { useMinute } from '../../../live/view.ts';
import { allNodes, findNode, type GroupNode } from '../../../organisation/groups.ts';
import { isLate, willBeLate } from '../../../tasks/task-times.ts';
import { tasksQuery } from '../../../tasks/use-tasks.ts';
import { type WorkNow, workNow } from './work-now.ts';

const MINUTE_MS = 60_000;
const NONE = { segments: 0, vehicles: 0, minutes: 0 };

interface Part {
  readonly folder: string;
  readonly department: string;
  readonly folders: readonly GroupNode[];
  readonly departments: readonly GroupNode[];
}

const idsIn = (nodes: readonly GroupNode[], id: string): ReadonlySet<string> => {
  const node = findNode(nodes, id);
  return new Set(node ? [...allNodes([node])].map(one => one.id) : []);
};

/**
 * The drivers' work now, for the chosen folder and department; null if the account keeps no logs or the user may not
 * see them. Unidentified driving is only known for the whole account.
 */
export function useWorkNow({ folder, department, folders, departments }: Part): WorkNow | null {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'logbook.read'));
  const { data: board } = useQuery({ ...boardQuery, enabled: mayRead });
  const { data: vehicles } = useQuery({ ...vehicleListQuery, enabled: mayRead && folder !== '' });
  const nowMs = useMinute();
  if (!board || board.rows.length === 0 || (folder !== '' && !vehicles)) return null;
  const [inFolder, inDepartment] = [idsIn(folders, folder), idsIn(departments, department)];
  const chosen = new Set(vehicles?.filter(({ folderId }) => inFolder.has(folderId ?? '')).map(({ id }) => id));
  const rows = board.rows.filter(
    ({ departmentId, vehicle }) =>
      (folder === '' || chosen.has(vehicle?.id ?? '')) && (department === '' || inDepartment.has(departmentId ?? '')),
  );
  const isPart = folder !== '' || department !== '';
  return workNow(rows, isPart ? NONE : board.unidentified, nowMs);
}

/** How many tasks are late or will be; null if the user may not see tasks. */
export function useLateTasks(): number | null {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'tasks.read'));
  const nowMs = useMinute();
  const dayMs = startOfDay(nowMs);
  const { data } = useQuery({
    ...tasksQuery(dayMs, endOfDay(dayMs)),
    enabled: mayRead,
    refetchInterval: MINUTE_MS,
  });
  const isRunningLate = (task: Task): boolean => !isOver(task.state) && (isLate(task, nowMs) || willBeLate(task));
  return data?.filter(isRunningLate).length ?? null;
}
