import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import frame from '../../../ui/table.module.css';
import { Stale } from '../Stale.tsx';
import styles from './List.module.css';

interface Props<Row> {
  readonly query: {
    readonly data: readonly Row[] | undefined;
    readonly error: Error | null;
    readonly dataUpdatedAt: number;
    readonly refetch: () => unknown;
  };
  readonly label: string;
  readonly heads: readonly string[];
  readonly empty: { readonly title: string; readonly text: string };
  readonly tools?: ReactNode;
  /** A table row, with a cell for each of the heads. */
  readonly row: (row: Row) => ReactElement<{ readonly children: ReactNode }>;
}

/** The list of a tab, with its states: loading, failed, empty and outdated. */
export function Listed<Row>({ query, label, heads, empty, tools, row }: Props<Row>) {
  const rows = query.data ?? [];
  return (
    <>
      {tools && <div className={styles.tools}>{tools}</div>}
      <Stale query={query} />
      {rows.length === 0 ? (
        <RegistryState
          total={query.data?.length}
          error={query.error}
          onRetry={() => void query.refetch()}
          onClear={() => {}}
          empty={empty}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <section className={styles.scroller} tabIndex={0} aria-label={label}>
          <table className={`${frame.table} ${styles.table} ${styles.stack}`}>
            <thead>
              <tr>
                {heads.map((head, nth) =>
                  head === '' ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change their order.
                    <td key={nth} />
                  ) : (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>{rows.map(each => labelled(row(each), heads))}</tbody>
          </table>
        </section>
      )}
    </>
  );
}

/** On a phone, where the heads are out of sight, each cell says what it is. */
function labelled(
  row: ReactElement<{ readonly children: ReactNode }>,
  heads: readonly string[],
): ReactElement<{ readonly children: ReactNode }> {
  const cells = Children.toArray(row.props.children).map((cell, nth) =>
    isValidElement<{ 'data-head'?: string }>(cell) && cell.type === 'td' && heads[nth]
      ? cloneElement(cell, { 'data-head': heads[nth] })
      : cell,
  );
  return cloneElement(row, {}, cells);
}
