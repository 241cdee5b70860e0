import cliProgress from 'cli-progress';

/** Shows how far a build is: a bar per step on a terminal, else a line when a step begins and ends. */
export type BuildProgress = {
  update(step: string, share: number, doing: string): void;
  /** Goes on with lines instead of bars, as others write to the terminal from now on. */
  continueAsLines(): void;
  stop(): void;
};

type Shown = Omit<BuildProgress, 'continueAsLines'>;

/** The text next to a bar: the duration of its step. */
type Step = { step: string; doing: string; startedAt?: number; endedAt?: number };

const barWidth = 30;

export function showBuildProgress(
  steps: readonly string[],
  output: NodeJS.WriteStream = process.stderr,
): BuildProgress {
  let shown = output.isTTY ? showBars(steps, output) : showLines(output);
  let isBars = output.isTTY;
  return {
    update: (step, share, doing) => shown.update(step, share, doing),
    continueAsLines() {
      if (!isBars) return;
      isBars = false;
      shown.stop();
      shown = showLines(output);
    },
    stop: () => shown.stop(),
  };
}

function showBars(steps: readonly string[], stream: NodeJS.WriteStream): Shown {
  const width = Math.max(...steps.map((step) => step.length));
  const bars = new cliProgress.MultiBar({
    stream,
    format: lineOf,
    hideCursor: true,
    linewrap: false,
    forceRedraw: true,
  });
  const shown = new Map<string, { bar: cliProgress.SingleBar; state: Step }>();
  for (const step of steps) {
    const state: Step = { step: step.padEnd(width), doing: 'waiting' };
    shown.set(step, { bar: bars.create(1, 0, state), state });
  }
  let isStopped = false;
  return {
    update(step, share, doing) {
      const found = shown.get(step);
      if (!found) return;
      const { bar, state } = found;
      state.startedAt ??= performance.now();
      if (share >= 1) state.endedAt ??= performance.now();
      state.doing = doing;
      bar.update(share, state);
    },
    stop() {
      // A second stop would draw the bars again, over what was written since.
      if (!isStopped) bars.stop();
      isStopped = true;
    },
  };
}

/** One bar: `  postal     ██████░░░░  60%  12s  rows of Japan`. */
function lineOf(
  _options: unknown,
  { progress }: { progress: number },
  { step, doing, startedAt, endedAt }: Step,
): string {
  const filled = Math.round(progress * barWidth);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
  const percent = `${Math.floor(progress * 100)}%`.padStart(4);
  const time = startedAt === undefined ? '' : formatTime((endedAt ?? performance.now()) - startedAt);
  return `  ${step} ${bar} ${percent} ${time.padStart(6)}  ${doing}`;
}

function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
}

function showLines(output: NodeJS.WriteStream): Shown {
  const startedAt = new Map<string, number>();
  const ended = new Set<string>();
  return {
    update(step, share, doing) {
      if (!startedAt.has(step)) {
        startedAt.set(step, performance.now());
        output.write(`  ${step} …\n`);
      }
      if (share < 1 || doing !== 'done' || ended.has(step)) return;
      ended.add(step);
      output.write(`  ${step} done in ${((performance.now() - startedAt.get(step)!) / 1000).toFixed(1)} s\n`);
    },
    stop() {},
  };
}
