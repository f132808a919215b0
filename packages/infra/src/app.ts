import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { readConfiguration } from './read-configuration.ts';
import { WikiStack } from './wiki-stack.ts';

/** What the cdk command runs; `main.ts` starts it and names the configuration. */
const app = new App({ analyticsReporting: false });
const file = app.node.tryGetContext('configuration');
if (typeof file !== 'string')
  throw new TypeError('The context "configuration" names the configuration file.');
new WikiStack(app, {
  configuration: readConfiguration(file),
  bundle: fileURLToPath(new URL('../../wiki-lambda/dist', import.meta.url)),
});
