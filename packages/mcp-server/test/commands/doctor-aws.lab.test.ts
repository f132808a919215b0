import { expect, onTestFinished, test } from 'vitest';
import { startWebLab } from '../../../web/test/lambda/start-web-lab.ts';
import { OwnIssuer } from '../../../web/test/login/own-issuer.ts';
import { temporaryDirectory } from '../built-server.ts';
import { examine, serve } from './addresses-of-teams.ts';

test('the address of a team on AWS works', async () => {
  const issuer = await OwnIssuer.open();
  const behind = issuer.address;
  issuer.address = await serve(async ({ url = '' }, answer) => {
    // Its login page.
    if (url.startsWith('/authorize')) return void answer.end();
    answer.end(await (await fetch(behind + url)).text());
  });
  const lab = await startWebLab({ directory: await temporaryDirectory(), issuer: issuer.address });
  onTestFinished(() => lab.stop());
  const report = await examine(lab.origin);
  expect(report).toMatch(/^Git: +needs a token, for which it does not ask here: /m);
  expect(report).toMatch(/\n\nEverything works\.\n$/);
});
