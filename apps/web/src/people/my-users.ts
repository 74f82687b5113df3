import { readMyUsers, type User } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { create } from 'zustand';
import { call } from '../base/api.ts';
import { onSessionEnd, useSession } from '../base/session/session.ts';
import { readStoredUsers, type StoredUser, storeUsers } from './stored-users.ts';

interface MyUsers {
  /** The account's users without the current user [R3.02]; null until loaded. */
  readonly allMyUsers: readonly User[] | null;
  /** The `data` of the last response to a registration [R3.02]. */
  readonly regUserDetails: User | null;
  /** Names stored on the last visit, shown until the list has loaded [R3.09]. */
  readonly known: readonly StoredUser[];
}

export const useMyUsers = create<MyUsers>(() => ({
  allMyUsers: null,
  regUserDetails: null,
  known: readStoredUsers(),
}));

const QUERY_KEY = ['my-users'];

/** Stores the list without the current user. */
function keepUsers(users: readonly User[]): void {
  const myId = useSession.getState().me?.id;
  const allMyUsers = users.filter(({ id }) => id !== myId);
  const known = storeUsers(allMyUsers);
  useMyUsers.setState({ allMyUsers, known });
}

export const keepRegistered = (regUserDetails: User): void => useMyUsers.setState({ regUserDetails });

/** Loads the users while a page shows them. */
export function useReadUsers() {
  return useQuery({
    queryKey: QUERY_KEY,
    queryFn: async () => {
      const users = await call(readMyUsers, { query: {} });
      keepUsers(users);
      return users.length;
    },
    refetchInterval: 60_000,
  });
}

/** Loads them again after a change, as specified for a registration [R7.04]. */
export function useRefreshUsers(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all(['my-users', 'roles', 'audit'].map(key => queryClient.invalidateQueries({ queryKey: [key] })));
  };
}

onSessionEnd(() => {
  storeUsers([]);
  useMyUsers.setState({ allMyUsers: null, regUserDetails: null, known: [] });
});
