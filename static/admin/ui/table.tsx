import type { ComponentChildren } from 'preact';
import type { Loaded } from '../lib/data.ts';
import { Problem } from './notice.tsx';

export interface Column<Row> {
  label: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end, under one another. */
  number?: boolean;
}

interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  id: (row: Row) => string | number;
  /** The first column's cell leads there, and with it the whole row. */
  href?: (row: Row) => string;
  /** What can be done with a row: buttons, in a last column whose heading is only for screen readers. */
  actions?: ((row: Row) => ComponentChildren) | undefined;
  /** Instead of a table without rows. */
  empty?: ComponentChildren;
}

/** On a phone each row is a card: the first column its title, the others lines of label and value. */
export function Table<Row>({ label, columns, rows, id, href, actions, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const cell = (row: Row, column: Column<Row>, index: number) =>
    index === 0 && href !== undefined ? (
      <a class="row-link" href={href(row)}>
        {column.cell(row)}
      </a>
    ) : (
      column.cell(row)
    );
  return (
    <div class="table-box">
      {/* The roles are spoken out because the phone's layout would take them away. */}
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(column => (
              <th key={column.label} role="columnheader" scope="col" class={column.number ? 'number' : undefined}>
                {column.label}
              </th>
            ))}
            {actions !== undefined && (
              <th role="columnheader" scope="col">
                <span class="unseen">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(row => (
            <tr key={id(row)} role="row" class={href === undefined ? undefined : 'leads'}>
              {columns.map((column, index) => (
                <td
                  key={column.label}
                  role="cell"
                  data-label={column.label}
                  class={column.number ? 'number' : undefined}
                >
                  {cell(row, column, index)}
                </td>
              ))}
              {actions !== undefined && (
                <td role="cell" class="actions">
                  {actions(row)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ListProps<Row, Data> extends Omit<TableProps<Row>, 'rows'> {
  from: Loaded<Data>;
  rowsOf: (data: Data) => readonly Row[];
}

/** A table with all it may be instead: on its way, not to be had, empty. */
export function List<Row, Data>({ from, rowsOf, ...table }: ListProps<Row, Data>) {
  const { data, error, loading, reload } = from;
  if (error !== null) return <Problem error={error} retry={reload} />;
  if (data === null) return <Skeleton />;
  return (
    <div aria-busy={loading} class="list">
      <Table {...table} rows={rowsOf(data)} />
    </div>
  );
}

interface WhenLoadedProps<Data> {
  from: Loaded<Data>;
  lines?: number;
  children: (data: Data) => ComponentChildren;
}

/** What was asked for, once it is there; what was there before stays beside the news that there is nothing newer. */
export function WhenLoaded<Data>({ from, lines = 5, children }: WhenLoadedProps<Data>) {
  const { data, error, reload } = from;
  return (
    <>
      {error !== null && <Problem error={error} retry={reload} />}
      {data !== null ? children(data) : error === null && <Skeleton lines={lines} />}
    </>
  );
}

export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  );
}
