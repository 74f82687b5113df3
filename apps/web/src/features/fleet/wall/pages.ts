/** The page of a list that is shown at this turn. After the last page it starts again, even if the list has changed. */
export function pageOf<T>(
  list: readonly T[],
  turn: number,
  size: number,
): { readonly items: readonly T[]; readonly page: number; readonly pages: number } {
  const pages = Math.max(1, Math.ceil(list.length / Math.max(1, size)));
  const page = turn % pages;
  return { items: list.slice(page * size, (page + 1) * size), page, pages };
}
