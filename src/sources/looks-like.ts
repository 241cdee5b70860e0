/** Guesses a file's format by its first bytes, for messages about files whose content does not match their name. */

/** First bytes in hexadecimal digits. */
const signatures: readonly (readonly [signature: string, what: string])[] = [
  ['1f8b', 'a gzip file'],
  ['504b0304', 'a zip archive'],
  ['504b0506', 'a zip archive'],
  ['425a68', 'a bzip2 file'],
  ['28b52ffd', 'a Zstandard file'],
  ['50415231', 'a Parquet file'],
  ['53514c69746520666f726d6174', 'a SQLite database'],
  ['25504446', 'a PDF document'],
  ['fffe', 'UTF-16 text'],
  ['feff', 'UTF-16 text'],
];
const texts: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^\s*<(!doctype html|html)/i, 'a web page, perhaps the error page of a failed download'],
  [/^\s*<\?xml/, 'an XML file'],
  [/^version https:\/\/git-lfs/, 'a Git LFS pointer instead of the file'],
  [/^.{4}\s\sOSMHeader/s, 'an OpenStreetMap PBF file'],
];

/** The probable format of the bytes, with its article; `undefined` if unknown. */
export function looksLike(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64));
  const hex = start.toString('hex');
  const text = start.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  return (
    signatures.find(([signature]) => hex.startsWith(signature))?.[1] ??
    texts.find(([beginning]) => beginning.test(text))?.[1]
  );
}

/** The same as the end of a message: `; it looks like a gzip file`, or nothing. */
export function lookingLike(bytes: Uint8Array): string {
  const what = looksLike(bytes);
  return what === undefined ? '' : `; it looks like ${what}`;
}
