import { useSearchParams } from 'react-router';

export const TABS = ['live', 'logs', 'unidentified', 'proposals', 'malfunctions', 'dvir', 'exports'] as const;
export type DeskTab = (typeof TABS)[number];
const TAB = 'tab';

/** The open tab, kept in the address. */
export function useDeskTab(): [DeskTab, (tab: DeskTab) => void] {
  const [parameters, setParameters] = useSearchParams();
  const tab = TABS.find(one => one === parameters.get(TAB)) ?? 'live';
  const choose = (next: DeskTab): void =>
    setParameters(
      before => {
        const written = new URLSearchParams(before);
        if (next === 'live') written.delete(TAB);
        else written.set(TAB, next);
        return written;
      },
      { replace: true },
    );
  return [tab, choose];
}
