/** Which places of source files ran, by V8's block coverage. */
import { Session } from 'node:inspector';

type Range = { startOffset: number; endOffset: number; count: number };
type Script = { url: string; functions: { ranges: Range[] }[] };

export class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /**
   * Whether an offset of a module ran since the last call, or without one whether any of its functions did; of a module that is
   * not JavaScript it is not known, which counts as run.
   */
  ran(): (url: string, offset?: number) => boolean {
    const scripts = new Map<string, Range[]>();
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error;
      for (const { url, functions } of taken.result as Script[])
        scripts.set(
          url,
          functions.flatMap(({ ranges }) => ranges),
        );
    });
    return (url, offset) => {
      if (offset === undefined)
        return url.includes('.json') || (scripts.get(url)?.some(({ count }) => count > 0) ?? false);
      let innermost: Range | undefined;
      for (const range of scripts.get(url) ?? []) {
        if (offset < range.startOffset || offset >= range.endOffset) continue;
        if (innermost && range.endOffset - range.startOffset > innermost.endOffset - innermost.startOffset) continue;
        innermost = range;
      }
      return innermost === undefined ? url.includes('.json') : innermost.count > 0;
    };
  }

  end(): void {
    this.#session.post('Profiler.stopPreciseCoverage');
    this.#session.disconnect();
  }
}
