import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, BootstraplessSynthesizer, type IReusableStackSynthesizer } from 'aws-cdk-lib';
import { GroundStack } from './ground-stack.ts';
import { StudiesStack, type StudiesStackProps } from './studies-stack.ts';

export type Choices = Omit<StudiesStackProps, 'ground'>;

/**
 * The app of both stacks. It needs no account that was prepared for CDK, and leaves nothing in one: what functions are
 * made of lies in the studies' own bucket.
 */
export function studiesApp(
  choices: Choices,
  outdir: string,
): { app: App; stacks: [GroundStack, StudiesStack] } {
  const app = new App({
    analyticsReporting: false,
    outdir,
    // CDK's types are not made for exactOptionalPropertyTypes.
    defaultStackSynthesizer: new BootstraplessSynthesizer() as IReusableStackSynthesizer,
    context: { '@aws-cdk/aws-iam:minimizePolicies': true, 'aws:cdk:disable-version-reporting': true },
  });
  const ground = new GroundStack(app);
  return { app, stacks: [ground, new StudiesStack(app, { ...choices, ground })] };
}

/** The templates as CloudFormation takes them. It needs no network. */
export function synthesize(choices: Choices): { ground: string; studies: string } {
  const outdir = mkdtempSync(join(tmpdir(), 'studies-'));
  try {
    const { app, stacks } = studiesApp(choices, outdir);
    const assembly = app.synth();
    const [ground, studies] = stacks.map((stack) =>
      JSON.stringify(assembly.getStackByName(stack.stackName).template),
    );
    return { ground: ground ?? '', studies: studies ?? '' };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
