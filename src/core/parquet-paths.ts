type Node = { element: { name: string }; children: Node[] };
type Metadata = { row_groups: { columns: { meta_data?: { path_in_schema: string[] } | undefined }[] }[] };

/**
 * Throws an Error where a column of a Parquet file is not in its schema. hyparquet throws that after it has started to read
 * the columns before, whose own errors then nobody awaits: they would end the process with a stack.
 */
export function checkColumnPaths(schema: Node, { row_groups }: Metadata): void {
  for (const { columns } of row_groups) {
    for (const { meta_data: { path_in_schema: path = [] } = {} } of columns) {
      let node: Node | undefined = schema;
      for (const name of path) node = node?.children.find(({ element }) => element.name === name);
      if (!node) throw new Error(`the column ${path.join('.')} is not in the schema`);
    }
  }
}
