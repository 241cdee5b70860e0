/** Faults of the system that its user can mend, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENAMETOOLONG: 'the name is longer than the file system allows',
  EISDIR: 'it is a folder, expected a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the volume is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would be larger than the system allows',
  EMFILE: 'too many files are open in this process; raise its limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  EIO: 'the disk reports an error',
};

/** SQLite's result codes (sqlite.org/rescode.html) in an operator's terms. */
const databaseReasons: Readonly<Record<number, string>> = {
  5: 'another process has locked it',
  8: 'it is read-only',
  10: 'the disk reports an error',
  11: 'the file is damaged',
  13: 'the disk is full',
  14: 'it cannot be opened; it and its folder must be writable',
  26: 'it is not a database',
};

/** Adds the path to an error of the file system that lacks it, as those of an open file do; throws it. */
export const namingPath =
  (path: string) =>
  (error: unknown): never => {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path });
    throw error;
  };

type SystemError = Partial<Error> & { code?: string; errcode?: number; path?: string };

/** Why the system refused something, in words where there are some; the error's own text for anything else. */
export function systemReason(error: unknown): string {
  const { code = '', errcode = -1, message = String(error) } = error as SystemError;
  const reason = code === 'ERR_SQLITE_ERROR' ? databaseReasons[errcode & 0xff] : reasons[code];
  return reason ?? message;
}

/**
 * One line for an error of the file system or a database that the user of a command can mend, with the path where it is
 * known; undefined for every other error.
 */
export function systemFault(error: unknown): string | undefined {
  const { code = '', errcode = -1, path } = error as SystemError;
  const isKnown = code === 'ERR_SQLITE_ERROR' ? (errcode & 0xff) in databaseReasons : code in reasons;
  if (!isKnown) return undefined;
  return path === undefined ? systemReason(error) : `${path}: ${systemReason(error)}`;
}
