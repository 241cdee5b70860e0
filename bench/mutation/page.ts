/** docs/internal/mutation.md: how many changes the tests noticed, and why each of the others is none that they should. */
import { share, tableOf } from '../quality/page.ts';
import explanations from './explanations.json' with { type: 'json' };

/** A mutant that was run. `nth` counts the same change of the same line of code. */
export type Record = {
  set: string;
  file: string;
  line: number;
  code: string;
  was: string;
  is: string;
  nth: number;
  survived: boolean;
};

/** Sections of the page: a table by file, and the survivors with the reason that explanations.json has for their line. */
export function mutationPage(records: readonly Record[]): string[] {
  const byFile = [...Map.groupBy(records, ({ file }) => file)].sort(([one], [other]) => (one < other ? -1 : 1));
  const killed = (list: readonly Record[]) => list.filter(({ survived }) => !survived).length;
  const totals = [...Map.groupBy(records, ({ set }) => set)].map(([set, list]) =>
    ['', `all of ${set}`, list.length, killed(list), share(killed(list), list.length)].slice(1),
  );
  const rows = byFile.map(([file, list]) => [
    `\`${file}\``,
    list.length,
    killed(list),
    share(killed(list), list.length),
  ]);
  const survivors = records.filter(({ survived }) => survived);
  const list = survivors.map((record) => [
    `\`${record.file.replace('src/', '')}\` ${record.line}`,
    `\`${escaped(record.code)}\``,
    `\`${escaped(record.was.trim()) || ' '}\` → \`${escaped(record.is.trim())}\``,
    reasonOf(record),
  ]);
  return [
    tableOf(['file', 'changes', 'noticed', 'share'], [...totals, ...rows]),
    '### Not noticed',
    tableOf(['where', 'line', 'change', 'why no test has to'], list),
  ];
}

const escaped = (code: string) => code.replaceAll('|', '\\|');

function reasonOf({ file, code }: Record): string {
  const ofFile = (explanations as { [file: string]: { [code: string]: string } })[file] ?? {};
  return (
    ofFile[code] ??
    Object.entries(ofFile).find(([start]) => start !== '' && code.startsWith(start))?.[1] ??
    'not explained'
  );
}
