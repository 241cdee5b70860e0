/** China's prefectures and counties by their number: `dist/index.js` of the npm package @vant/area-data. */

/** A province, prefecture or county of mainland China. */
export type ChinaArea = {
  /** Six digits of GB/T 2260: two of the province, two of the prefecture, two of the county; 00 where there is none. */
  code: string;
  /** Its full name: 涿州市. */
  name: string;
};

const row = /^\s*(\d{6}): ("(?:[^"\\]|\\.)*"),?$/gm;

/** Reads the file. It is a script that assigns an object; its rows are read as JSON, not run. Throws when it has none. */
export function readChinaAreas(script: string): ChinaArea[] {
  const areas = [...script.matchAll(row)].map(([, code, name]) => ({ code, name: JSON.parse(name) as string }));
  if (areas.length === 0) throw new Error('no row of areas; expected dist/index.js of @vant/area-data 2');
  return areas;
}
