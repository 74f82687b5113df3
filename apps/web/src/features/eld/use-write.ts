import { useMutation } from '@tanstack/react-query';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { useRefresh } from './use-refresh.ts';

/** Makes a change to logs: reports success or failure, and reloads what shows it. */
export function useWrite<Input = void, Answer = unknown>(
  write: (input: Input) => Promise<Answer>,
  done: string | ((answer: Answer) => string),
  onDone?: () => void,
) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: write,
    onSuccess: answer => {
      toast(typeof done === 'string' ? done : done(answer));
      onDone?.();
    },
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: refresh,
  });
}
