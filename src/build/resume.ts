/** Resuming a first build that was interrupted: what it leaves to the next one. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { packagesOf } from '../sources/default-packages.ts';
import { verifyFiles } from '../store/dataset-files.ts';
import { currentVersion, readManifest } from '../store/manifest.ts';
import { filesOf, type LayerName, type Manifest } from '../store/manifest-format.ts';
import type { BuildOptions, BuildTask, InputPaths } from './layer.ts';
import { layerBuilders } from './layers/index.ts';
import { layersOfParts } from './parts.ts';
import type { Built } from './run-builders.ts';

/** Before the name of a version that is being built. */
export const stagingPrefix = '.building-';
export const manifestName = 'manifest.json';

const isNote = (file: string) => file === manifestName || file.startsWith('.');

/** What an earlier first build wrote before it was interrupted, if it had the same inputs and its files are whole. */
export async function interruptedBuild(
  { dataDirectory, tasks }: Pick<BuildOptions, 'dataDirectory' | 'tasks'>,
  packages: InputPaths['packages'],
): Promise<{ manifest: Manifest; built: Built } | undefined> {
  if (currentVersion(dataDirectory) !== undefined) return undefined;
  for (const name of await readdir(dataDirectory)) {
    if (!name.startsWith(stagingPrefix)) continue;
    try {
      const directory = join(dataDirectory, name);
      const manifest = readManifest(directory);
      const inputsOf = ({ layer, part, inputs }: BuildTask) =>
        JSON.stringify({
          ...Object.fromEntries(packagesOf(layer, part).map((one) => [one, packages[one].version])),
          ...inputs,
        });
      const isSame = (task: BuildTask) =>
        JSON.stringify(
          task.part === undefined
            ? manifest.layers[task.layer]?.inputs
            : manifest.parts.find((part) => part.name === task.part)?.inputs,
        ) === inputsOf(task);
      const done = tasks.filter((task) => hasResult(manifest, task) && isSame(task));
      const parts = manifest.parts.filter((part) => done.some((task) => task.part === part.name));
      const names = new Set(
        done.filter(({ part }) => part === undefined).flatMap(({ layer }) => layersBuiltWith(layer)),
      );
      const layers = Object.fromEntries(
        Object.entries(manifest.layers).filter(([layer]) => names.has(layer as LayerName)),
      );
      await verifyFiles(directory, { ...manifest, layers: { ...layers, ...layersOfParts(parts) } });
      const whole = new Set(filesOf({ layers: { ...layers, ...layersOfParts(parts) } }).map((file) => file.name));
      // The builder that was interrupted starts again.
      for (const file of await readdir(directory))
        if (!whole.has(file) && !isNote(file)) await rm(join(directory, file), { recursive: true, force: true });
      const used = new Set(Object.values(layers).flatMap((layer) => layer.sources));
      return { manifest, built: { layers, sources: manifest.sources.filter(({ id }) => used.has(id)), parts } };
    } catch {
      // Nothing of it can be used.
    }
  }
  return undefined;
}

/** Whether a builder's result is among what is built. */
export const hasResult = ({ layers, parts }: Pick<Built, 'layers' | 'parts'>, { layer, part }: BuildTask): boolean =>
  part === undefined ? layers[layer] !== undefined : parts.some(({ name }) => name === part);

/** All layers made by the builder of a layer. */
export function layersBuiltWith(layer: LayerName): LayerName[] {
  return layerBuilders.filter(({ name }) => name === layer).flatMap(({ name, also = [] }) => [name, ...also]);
}
