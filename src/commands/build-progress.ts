import cliProgress from 'cli-progress';

/** Shows how far a build is: a bar per step on a terminal, else a line when a step begins and ends. */
export type BuildProgress = { update(step: string, share: number, doing: string): void; stop(): void };

export function showBuildProgress(
  steps: readonly string[],
  output: NodeJS.WriteStream = process.stderr,
): BuildProgress {
  return output.isTTY ? showBars(steps, output) : showLines(output);
}

function showBars(steps: readonly string[], stream: NodeJS.WriteStream): BuildProgress {
  const width = Math.max(...steps.map((step) => step.length));
  const bars = new cliProgress.MultiBar(
    {
      stream,
      format: '  {step} [{bar}] {percentage}% {duration_formatted} {doing}',
      hideCursor: true,
      linewrap: false,
      forceRedraw: true,
      autopadding: true,
    },
    cliProgress.Presets.shades_classic,
  );
  const lines = new Map<string, cliProgress.SingleBar>();
  for (const step of steps) lines.set(step, bars.create(100, 0, { step: step.padEnd(width), doing: 'waiting' }));
  return {
    update(step, share, doing) {
      lines.get(step)?.update(Math.floor(share * 100), { doing });
      if (share >= 1) lines.get(step)?.stop();
    },
    stop: () => bars.stop(),
  };
}

function showLines(output: NodeJS.WriteStream): BuildProgress {
  const begun = new Map<string, number>();
  const ended = new Set<string>();
  return {
    update(step, share, doing) {
      if (!begun.has(step)) {
        begun.set(step, performance.now());
        output.write(`  ${step} …\n`);
      }
      if (share < 1 || doing !== 'done' || ended.has(step)) return;
      ended.add(step);
      output.write(`  ${step} done in ${((performance.now() - begun.get(step)!) / 1000).toFixed(1)} s\n`);
    },
    stop() {},
  };
}
