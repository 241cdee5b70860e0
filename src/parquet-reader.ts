import type { FileMetaData, SchemaTree } from 'hyparquet';
import { optionalPackages } from './errors.ts';

/** The packages that read Parquet files, loaded only here; throws what `refuse` makes of the message (UsageError) where they are missing. */
export async function parquetReader(refuse?: (message: string) => Error) {
  const load = () => Promise.all([import('hyparquet'), import('hyparquet-compressors')]);
  const packages = ['hyparquet', 'hyparquet-compressors'];
  const [reader, { compressors }] = await optionalPackages('reading Parquet', packages, load, refuse);
  return { ...reader, compressors };
}

/**
 * Throws an Error where a column of a file is not in its schema. hyparquet throws that after it has started to read the
 * columns before, whose own errors then nobody awaits: they would end the process with a stack.
 */
export function checkColumnPaths(schema: SchemaTree, { row_groups }: FileMetaData): void {
  for (const { columns } of row_groups) {
    for (const { meta_data: { path_in_schema: path = [] } = {} } of columns) {
      let node: SchemaTree | undefined = schema;
      for (const name of path) node = node?.children.find(({ element }) => element.name === name);
      if (!node) throw new Error(`the column ${path.join('.')} is not in the schema`);
    }
  }
}
