import { createReadStream } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceDurably } from '../build/durable.ts';
import { readWithin } from '../download/small-document.ts';
import type { ObjectStore } from './object-store.ts';

const ifThere = <T>(error: NodeJS.ErrnoException): T | undefined => {
  if (error.code === 'ENOENT') return undefined;
  throw error;
};

/** A directory as an object store: for a file system that nodes share, or a web server. */
export function directoryStore(directory: string): ObjectStore {
  const pathOf = (key: string) => join(directory, key);
  return {
    address: directory,
    async read(key, maxBytes) {
      const file = await open(pathOf(key)).catch(ifThere<FileHandle>);
      return readWithin(pathOf(key), async (signal) => file?.createReadStream({ signal }), { maxBytes });
    },
    open: async (key, start, signal) => createReadStream(pathOf(key), { start, signal }),
    sizeOf: async (key) => (await stat(pathOf(key)).catch(ifThere<{ size: number }>))?.size,
    async write(key, content) {
      await mkdir(dirname(pathOf(key)), { recursive: true });
      await replaceDurably(pathOf(key), content);
    },
    async writeFile(key, path) {
      const part = `${pathOf(key)}.part`;
      await mkdir(dirname(part), { recursive: true });
      await copyFile(path, part);
      const file = await open(part);
      await file.sync();
      await file.close();
      await rename(part, pathOf(key));
    },
  };
}
