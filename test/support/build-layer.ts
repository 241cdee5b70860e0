/** Layers as a build makes them, from files in the forms of the sources that a test writes. */
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { layerBuilders } from '../../src/build/layers/index.ts';

type Build = (typeof layerBuilders)[number]['build'];
type Job = Parameters<Build>[0];
export type LayerReport = Awaited<ReturnType<Build>>;
type Kind = Parameters<Job['inputs']['userFiles']>[0];

export type LayerFiles = {
  /** Contents of files of default packages, by package and file: a text, bytes, or a value that is written as JSON. */
  packages?: Readonly<Record<string, unknown>>;
  /** Paths of a user's files, by kind. */
  userFiles?: Partial<Record<Kind, readonly string[]>>;
};

/** Has the builder of a layer write its files into a directory, where the layers that it reads are already. */
export async function buildLayer(
  layer: (typeof layerBuilders)[number]['name'],
  directory: string,
  { packages = {}, userFiles = {} }: LayerFiles,
  progress: Job['progress'] = () => {},
): Promise<LayerReport> {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'whereabouts-packages-'));
  const builder = layerBuilders.find(({ name }) => name === layer)!;
  return await builder.build({
    directory,
    progress,
    inputs: {
      packageFile(packageName, file) {
        const path = join(temporary.path, packageName, file);
        if (file.endsWith('/')) mkdirSync(path, { recursive: true });
        else {
          const content = contentOf(packages[`${packageName}/${file}`]);
          if (content === undefined) throw new Error(`the test has no ${packageName}/${file}; add it`);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, content);
        }
        return path;
      },
      packageVersion: () => '1.0.0',
      userFiles: (kind) => userFiles[kind] ?? [],
    },
  });
}

/** What is written to a file for a content; undefined for undefined. */
export function contentOf(content: unknown): string | Uint8Array | undefined {
  return typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
}
