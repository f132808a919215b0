import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { readConfiguration } from './configuration/read-configuration.ts';
import { WikiStack } from './stack/wiki-stack.ts';

/** The app for the cdk command. `main.ts` starts it and passes the configuration. */
const app = new App({ analyticsReporting: false });
const file = app.node.tryGetContext('configuration');
if (typeof file !== 'string')
  throw new TypeError('The context "configuration" names the configuration file.');
const newDirectory = app.node.tryGetContext('newDirectory');
new WikiStack(app, {
  configuration: readConfiguration(file),
  newDirectory: typeof newDirectory === 'string' ? newDirectory : null,
  restored: app.node.tryGetContext('restored') === 'true',
  bundle: fileURLToPath(new URL('../../wiki-lambda/dist', import.meta.url)),
});
