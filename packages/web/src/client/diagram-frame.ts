/// <reference lib="dom" />

/** Mermaid, which the document of the frame loads before this script. */
declare const mermaid: {
  initialize(config: object): void;
  render(id: string, text: string): Promise<{ svg: string }>;
};

/** The text of a diagram, as the page sends it. */
export interface DiagramRequest {
  text: string;
  dark: boolean;
}

/** A diagram, or the reason why there is none. */
export type DiagramAnswer = { svg: string; width: number } | { problem: string };

/** Draws diagrams in a document without an origin: nothing here can reach the page but by the port of a request. */
addEventListener('message', async ({ data, ports }: MessageEvent<DiagramRequest>) => {
  // On a host of files no header takes the origin away from who opens this document by itself.
  if (origin !== 'null') return;
  const answer: DiagramAnswer = await draw(data).catch((error: unknown) => ({ problem: String(error) }));
  ports[0]?.postMessage(answer);
});

async function draw({ text, dark }: DiagramRequest): Promise<DiagramAnswer> {
  mermaid.initialize({ ...SETTINGS, theme: dark ? 'dark' : 'default', secure: LOCKED });
  const { svg } = await mermaid.render('diagram', text);
  const drawn = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (drawn === null) return { problem: 'Nothing was drawn.' };
  const { width, height } = drawn.viewBox.baseVal ?? { width: 300, height: 150 };
  // An image has a size of its own, and is XML.
  drawn.setAttribute('width', String(width));
  drawn.setAttribute('height', String(height));
  return { svg: new XMLSerializer().serializeToString(drawn), width };
}

const SETTINGS = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  fontFamily: 'system-ui, sans-serif',
  deterministicIds: true,
  logLevel: 'fatal',
};

/** The settings that the text of a diagram cannot change. */
const LOCKED = [
  ...Object.keys(SETTINGS).filter((name) => name !== 'flowchart'),
  ...['secure', 'maxTextSize', 'maxEdges', 'dompurifyConfig', 'themeCSS', 'altFontFamily'],
];
