import { LANGUAGES, type Language, listReports, type ReportPage, runReport } from '@milepost/contract';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import { useLanguage } from '../../base/language/language.ts';
import { addressQuery, apiQuery, type ReportAddress } from './report-url.ts';

const PAGE_ROWS = 100;
/** How often to reload while the server is still counting reports. */
const BEHIND_EVERY_MS = 5000;

/** Titles and columns come from the server in this language. */
export const useReportLanguage = (): Language => {
  const language = useLanguage(state => state.language);
  return LANGUAGES.find(each => each === language) ?? 'en-US';
};

export function useReports() {
  const language = useReportLanguage();
  return useQuery({
    queryKey: ['reports', language],
    queryFn: () => call(listReports, { query: { language } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** A report, page by page. */
export function useReport(key: string | undefined, address: ReportAddress | null) {
  const language = useReportLanguage();
  return useInfiniteQuery({
    queryKey: ['report', key, address && addressQuery(address), language],
    enabled: key !== undefined && address !== null,
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      call(runReport, {
        params: { key: key as string },
        query: { ...apiQuery(address as ReportAddress, language), offset: pageParam, limit: PAGE_ROWS },
      }),
    getNextPageParam: (last: ReportPage, pages) => {
      const read = pages.reduce((sum, { rows }) => sum + rows.length, 0);
      return read < last.total && last.rows.length > 0 ? read : undefined;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages[0]?.behind ?? 0) > 0 ? BEHIND_EVERY_MS : false),
  });
}
