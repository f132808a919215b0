import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { marked } from 'marked';

/** The report of a study: Markdown in which `plot:NAME` stands for the picture of that name. */
export interface Report {
  readonly title: string;
  readonly markdown: string;
  /** SVG by name. */
  readonly plots: Readonly<Record<string, string>>;
}

/**
 * Writes the report beside its results: Markdown with its plots, and one page of HTML that needs nothing else.
 * @returns the file of Markdown.
 */
export async function writeReport(directory: string, name: string, report: Report): Promise<string> {
  await mkdir(directory, { recursive: true });
  const fileOfPlot = (plot: string) => `${name}-${plot}.svg`;
  for (const [plot, svg] of Object.entries(report.plots)) {
    await writeFile(join(directory, fileOfPlot(plot)), `${svg}\n`);
  }
  const file = join(directory, `${name}.md`);
  await writeFile(
    file,
    report.markdown.replaceAll(
      picture,
      (_, reported: string, plot: string) => `![${reported}](${fileOfPlot(plot)})`,
    ),
  );
  await writeFile(join(directory, `${name}.html`), pageOf(report));
  return file;
}

/** A picture in Markdown: its description and its name. */
const picture = /!\[([^\]]*)\]\(plot:([a-z0-9-]+)\)/g;

function pageOf({ title, markdown, plots }: Report): string {
  const body = marked.parse(markdown, { async: false });
  const withPlots = body.replaceAll(
    /<p><img src="plot:([a-z0-9-]+)" alt="([^"]*)"><\/p>/g,
    (_, plot: string, reported: string) =>
      `<figure role="img" aria-label="${reported}">${plots[plot] ?? ''}</figure>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 16px/1.5 Helvetica, Arial, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #999; padding: 0.25rem 0.6rem; text-align: left; }
figure { margin: 1.5rem 0; } svg { max-width: 100%; height: auto; }
code { background: #eee; padding: 0 0.2rem; }
</style>
</head>
<body>
${withPlots}
</body>
</html>
`;
}
