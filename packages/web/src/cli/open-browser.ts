import { spawn } from 'node:child_process';

/** Opens an address in the person's browser. The address is printed too, so a failure needs no message. */
export function openBrowser(address: string, platform: string): void {
  const [program = '', ...before] = OPENERS[platform] ?? ['xdg-open'];
  const child = spawn(program, [...before, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
