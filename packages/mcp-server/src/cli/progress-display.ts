import { Presets, SingleBar } from 'cli-progress';

/** Shows a person the progress of long work. */
export interface ProgressDisplay {
  /** `done` of `total`, 0 if unknown. Each `message` names a part of the work. */
  show(done: number, total: number, message: string): void;
  /** Restores the terminal. */
  end(): void;
}

/** A bar in a terminal; otherwise lines, a few for each part of the work. */
export function openProgressDisplay(stream: NodeJS.WritableStream, isTerminal: boolean): ProgressDisplay {
  return isTerminal ? barDisplay(stream) : lineDisplay(stream);
}

function barDisplay(stream: NodeJS.WritableStream): ProgressDisplay {
  const bar = new SingleBar(
    { stream, format: '{message} [{bar}] {value} of {total}', hideCursor: true, gracefulExit: false },
    Presets.legacy,
  );
  let part: string | null = null;
  const end = () => {
    if (part !== null) bar.stop();
    part = null;
  };
  return {
    show(done, total, message) {
      if (total === 0) {
        end();
        stream.write(`${message}\n`);
      } else if (message === part) {
        bar.setTotal(total);
        bar.update(done, { message });
      } else {
        end();
        part = message;
        bar.start(total, done, { message });
      }
    },
    end,
  };
}

function lineDisplay(stream: NodeJS.WritableStream): ProgressDisplay {
  let shown = '';
  return {
    show(done, total, message) {
      const tenth = total === 0 ? 0 : Math.floor((done * 10) / total);
      const part = `${message} ${tenth}`;
      if (part === shown) return;
      shown = part;
      stream.write(total === 0 ? `${message}\n` : `${message}: ${done} of ${total}\n`);
    },
    end: () => {},
  };
}
