import { listDepartments, listFolders, may } from '@milepost/contract';
import { create } from 'zustand';
import { http } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';
import { forgetExpanded } from './expanded.ts';
import { GroupFeed } from './group-feed.ts';
import {
  checked,
  readDepartments,
  readFolders,
  type StoredDepartment,
  type StoredFolder,
  storeDepartments,
  storeFolders,
  withChecks,
  withoutNames,
} from './stored-groups.ts';

interface Organisation {
  /** Null until first read. */
  readonly folders: readonly StoredFolder[] | null;
  readonly departments: readonly StoredDepartment[] | null;
  /** Why the last read failed; null if it succeeded. */
  readonly folderError: unknown;
  readonly departmentError: unknown;
}

const NOTHING: Organisation = { folders: null, departments: null, folderError: null, departmentError: null };

/** The signed-in user's folders and departments: from the last visit at first, then kept up to date. */
export const useOrganisation = create<Organisation>(() => NOTHING);

const feeds = {
  folder: new GroupFeed({
    read: etag => http.callIfChanged(listFolders, etag),
    changed: answer => keepFolders(withChecks(answer, useOrganisation.getState().folders ?? [])),
    failed: folderError => useOrganisation.setState({ folderError }),
  }),
  department: new GroupFeed({
    read: etag => http.callIfChanged(listDepartments, etag),
    changed: answer => {
      const departments = withoutNames(answer);
      storeDepartments(departments);
      useOrganisation.setState({ departments });
    },
    failed: departmentError => useOrganisation.setState({ departmentError }),
  }),
};

export const GROUP_KINDS = ['folder', 'department'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

/** Reads a list again. Every write ends with this [R7.32]. */
export const refreshGroups = (kind: GroupKind): Promise<void> => feeds[kind].refresh();

function keepFolders(folders: readonly StoredFolder[]): void {
  storeFolders(folders);
  useOrganisation.setState({ folders });
}

/** Checks or unchecks vehicles in all folders [R3.04]. */
export function checkVehicles(ids: ReadonlySet<string>, on: boolean): void {
  const { folders } = useOrganisation.getState();
  if (folders) keepFolders(checked(folders, ids, on));
}

/** The token of the user whose lists are shown; null if there is none or they may not see the lists. */
function readerOf({ token, me }: ReturnType<typeof useSession.getState>): string | null {
  return token !== null && me !== null && may(me, 'organisation.read') ? token : null;
}

/**
 * Ties the lists to the session: they are read from sign-in on and after a reload [R4.09, R4.11], and dropped when it
 * ends [R4.10].
 */
export function followSession(): void {
  const follow = (reader: string | null): void => {
    for (const kind of GROUP_KINDS) feeds[kind].stop();
    if (reader === null) {
      useOrganisation.setState(NOTHING);
      return;
    }
    useOrganisation.setState({ ...NOTHING, folders: readFolders(), departments: readDepartments() });
    for (const kind of GROUP_KINDS) feeds[kind].start();
  };
  follow(readerOf(useSession.getState()));
  useSession.subscribe((now, before) => {
    if (now.token === null && before.token !== null) forgetExpanded();
    const [reader, last] = [readerOf(now), readerOf(before)];
    if (reader !== last) follow(reader);
  });
}
