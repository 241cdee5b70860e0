/** Which blocks of our code ran, and how often, by V8's counters. */
import { type Profiler, Session } from 'node:inspector';

/** Only our own code guides the search; packages run, but their coverage is ignored. */
const ours = /\/src\/(?!web\/)/;

/**
 * Starts counting before the code is loaded, as V8 counts blocks only of what it compiles from then on. Returns a
 * function that takes the counts since the last call: a name for each block that ran and each power of two of its
 * count.
 */
export function startCoverage(): () => string[] {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () => {
    let scripts: Profiler.ScriptCoverage[] = [];
    // In the same thread the answer comes before `post` returns.
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result));
    const blocks: string[] = [];
    for (const { url, scriptId, functions } of scripts) {
      if (!ours.test(url)) continue;
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          if (count > 0) blocks.push(`${scriptId}:${startOffset}:${endOffset}:${Math.log2(count) | 0}`);
        }
      }
    }
    return blocks;
  };
}
