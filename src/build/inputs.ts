import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceKind } from '../sources/source-kinds.ts';
import type { Inputs } from './layer.ts';

/** The user's files, by kind. */
export type UserFiles = Partial<Record<SourceKind, string[]>>;

/** Inputs as plain data, so that they can be sent to a worker thread. */
export type InputPaths = {
  packages: Record<string, { directory: string; version: string }>;
  userFiles: UserFiles;
};

/** The inputs a layer's builder works with. Throws naming the package or file when one is not declared. */
export function openInputs({ packages, userFiles }: InputPaths): Inputs {
  const entry = (name: string) => {
    const found = packages[name];
    if (!found) throw new Error(`${name} is not in src/sources/default-packages.ts`);
    return found;
  };
  return {
    packageFile(packageName, file) {
      const path = join(entry(packageName).directory, file);
      if (!existsSync(path))
        throw new Error(`${packageName} has no file ${file}; is it listed in src/sources/default-packages.ts?`);
      return path;
    },
    packageVersion: (packageName) => entry(packageName).version,
    userFiles: (kind) => userFiles[kind] ?? [],
  };
}
