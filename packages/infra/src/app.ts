import { fileURLToPath } from 'node:url';
import { App } from 'aws-cdk-lib';
import { readConfiguration } from './configuration/read-configuration.ts';
import { WikiStack } from './stack/wiki-stack.ts';

/** The app for the cdk command. `main.ts` starts it and passes the configuration. */
const app = new App({ analyticsReporting: false });
const file = app.node.tryGetContext('configuration');
if (typeof file !== 'string')
  throw new TypeError('The context "configuration" names the configuration file.');
new WikiStack(app, {
  configuration: readConfiguration(file),
  newDirectory: textOrNull('newDirectory'),
  restored: app.node.tryGetContext('restored') === 'true',
  bundles: {
    wiki: fileURLToPath(new URL('../../wiki-lambda/dist', import.meta.url)),
    web: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    sync: fileURLToPath(new URL('../../sync-lambda/dist', import.meta.url)),
  },
  deployedWeb: { address: textOrNull('webAddress'), grantKey: textOrNull('grantKey') },
});

function textOrNull(context: string): string | null {
  const value = app.node.tryGetContext(context);
  return typeof value === 'string' ? value : null;
}
