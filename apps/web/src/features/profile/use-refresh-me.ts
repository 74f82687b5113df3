import { useQueryClient } from '@tanstack/react-query';

/** The user is read again after every change of theirs [R7.03, R7.12]. */
export function useRefreshMe(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['me'] });
}
