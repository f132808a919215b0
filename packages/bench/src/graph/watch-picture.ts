import type { openChromium } from '../../../web/test/open-chromium.ts';
import type { Drag, Picture } from './report-graphs.ts';

type Browser = Awaited<ReturnType<typeof openChromium>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Opens a graph, waits until its nodes and links are on the screen, and drags the picture for some time. */
export async function watchPicture(browser: Browser, address: string, dragMs: number): Promise<Picture> {
  // A context has a cache of its own, empty at first.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(WATCH);
    await page.goto(address, { timeout: MAX_WAIT_MS });
    const { nodes, links } = await page.evaluate<Pick<Picture, 'nodes' | 'links'>>('watched.complete');
    // The browser may still be at work for what it showed first.
    await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))');
    return { nodes, links, drag: await drag(browser, page, dragMs) };
  } finally {
    await context.close();
  }
}

/** The server may have to work out the graph of 100,000 pages. */
const MAX_WAIT_MS = 120_000;

/** Moves the pointer in circles with the button down. */
async function drag(browser: Browser, page: Page, dragMs: number): Promise<Drag> {
  const picture = page.locator('.graph-picture');
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  if (box === null) throw new Error('The picture has no place.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const moveTo = (angle: number) =>
    page.mouse.move(x + RADIUS * Math.cos(angle), y + RADIUS * Math.sin(angle));
  await moveTo(0);
  await page.mouse.down();
  await page.evaluate('watched.frames.length = 0');
  const usedBefore = await processorMs(browser);
  const end = performance.now() + dragMs;
  for (let step = 0; performance.now() < end; step += 1) await moveTo(step / 20);
  const frames = await page.evaluate<number[]>('watched.frames');
  const used = (await processorMs(browser)) - usedBefore;
  await page.mouse.up();
  return { frames, processorMs: used };
}

const RADIUS = 150;

/** The processor time of all processes of the browser until now. One of them draws, as there is no graphics card. */
async function processorMs(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + 1_000 * cpuTime, 0);
}

/**
 * Runs before the scripts of the page. A layer is on the screen with the frame after the one in which its pixels could be
 * read back. A frame counts if nodes were drawn in it: its time is that of the next frame, for which the browser had to
 * take it.
 */
const WATCH = `
  const complete = Promise.withResolvers();
  const giveUp = () => complete.reject(new Error(\`Drawn within ${MAX_WAIT_MS} ms: \${JSON.stringify(layers)}.\`));
  setTimeout(giveUp, ${MAX_WAIT_MS});
  const layers = { nodes: { ms: 0, pixels: 0 }, links: { ms: 0, pixels: 0 } };
  globalThis.watched = { complete: complete.promise, frames: [] };
  let hasDrawnNodes = false;
  const pixelsOf = (gl) => {
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    const pixels = new Uint8Array(4 * width * height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels.filter((value, at) => at % 4 === 3 && value > 0).length;
  };
  const draw = WebGL2RenderingContext.prototype.drawArrays;
  WebGL2RenderingContext.prototype.drawArrays = function (...args) {
    draw.apply(this, args);
    const isOfNodes = this.canvas.classList.contains('sigma-nodes');
    hasDrawnNodes ||= isOfNodes;
    const layer = isOfNodes ? layers.nodes : layers.links;
    if (layer.pixels === 0) queueMicrotask(() => { layer.pixels ||= pixelsOf(this); });
  };
  requestAnimationFrame(function onFrame(now) {
    requestAnimationFrame(onFrame);
    if (hasDrawnNodes) watched.frames.push(now);
    hasDrawnNodes = false;
    for (const layer of Object.values(layers)) if (layer.pixels > 0) layer.ms ||= performance.now();
    if (layers.nodes.ms > 0 && layers.links.ms > 0) complete.resolve(layers);
  });
`;
