import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { afterAll } from 'vitest';
import { parseConfiguration } from '../src/configuration/configuration.ts';
import type { DeployedWeb } from '../src/stack/web/web.ts';
import { WikiStack } from '../src/stack/wiki-stack.ts';

/** A CloudFormation template, as far as tests look into it. */
export interface Template {
  Parameters: Record<string, { Type: string; Default: string }>;
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown; Description: string }>;
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
  DependsOn?: string[];
}

const root = mkdtempSync(join(tmpdir(), 'pagetree-infra-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The stack that a configuration gives, with the settings of cdk.json and a bundle whose content never changes. */
export function stackOf(
  json: unknown,
  newDirectory: string | null = '/pagetree',
  deployed: Partial<DeployedWeb> = {},
): { app: App; stack: Stack } {
  const { context } = JSON.parse(readFileSync(new URL('../cdk.json', import.meta.url), 'utf8'));
  const app = new App({ analyticsReporting: false, context, outdir: temporaryDirectory() });
  const bundle = temporaryDirectory();
  writeFileSync(join(bundle, 'index.mjs'), 'export const handler = async () => null;\n');
  const configuration = parseConfiguration(json);
  const bundles = { wiki: bundle, web: bundle, sync: bundle };
  const deployedWeb = { address: null, grantKey: null, ...deployed };
  return {
    app,
    stack: new WikiStack(app, { configuration, newDirectory, restored: false, bundles, deployedWeb }),
  };
}

export function templateOf(
  json: unknown,
  newDirectory?: string | null,
  deployed?: Partial<DeployedWeb>,
): Template {
  const { app, stack } = stackOf(json, newDirectory, deployed);
  return app.synth().getStackByName(stack.stackName).template;
}

/** Gone when the tests of the file are over. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(root, 'directory-'));
}
