import { equal } from 'node:assert/strict';
import type { Resource, Template } from './synthesize.ts';

/** Every resource of a type, by its logical name. */
export function resourcesOf(template: Template, type: string): [name: string, resource: Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** The one resource of a type whose name begins so. */
export function resourceOf(template: Template, type: string, begin = ''): Resource {
  const found = resourcesOf(template, type).filter(([name]) => name.startsWith(begin));
  equal(found.length, 1, `${type} ${begin}: ${found.map(([name]) => name).join(', ')}`);
  const [only] = found;
  if (!only) throw new TypeError('There is none.');
  return only[1];
}

/**
 * The values of `Ref`, `Fn::GetAtt` and `Fn::Join` after the deployment, with names in place of those that
 * AWS would generate.
 */
export function resolved(template: Template, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => resolved(template, each));
  if (typeof value !== 'object' || value === null) return value;
  const [[key, inner] = [], ...others] = Object.entries(value);
  if (others.length === 0 && key === 'Ref') return reference(template, String(inner));
  if (others.length === 0 && key === 'Fn::GetAtt') {
    const [name, attribute] = inner;
    return attribute === 'Arn' ? arnOf(template, name) : `${name}.${attribute}`;
  }
  if (others.length === 0 && key === 'Fn::Join') {
    const [separator, parts] = inner;
    return parts.map((part: unknown) => resolved(template, part)).join(separator);
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolved(template, each)]));
}

export const ACCOUNT = '111122223333';
const REGION = 'us-east-2';

function reference(template: Template, name: string): string {
  if (name === 'AWS::AccountId') return ACCOUNT;
  if (name === 'AWS::Partition') return 'aws';
  if (name === 'AWS::URLSuffix') return 'amazonaws.com';
  if (name === 'AWS::StackId') return `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/Pagetree/0001`;
  const type = template.Resources[name]?.Type;
  // The reference to an alias or a managed policy is its ARN.
  if (type === 'AWS::Lambda::Alias' || type === 'AWS::IAM::ManagedPolicy') return arnOf(template, name);
  if (type === 'AWS::Lambda::Function') return String(template.Resources[name]?.Properties.FunctionName);
  if (type === 'AWS::EFS::FileSystem') return 'fs-0123456789abcdef0';
  if (type === 'AWS::EFS::AccessPoint') return `fsap-${name.toLowerCase()}`;
  return name;
}

/** The ARN of a resource, by its logical name. */
export function arnOf(template: Template, name: string): string {
  const resource = template.Resources[name];
  const at = (service: string, rest: string, region = REGION) =>
    `arn:aws:${service}:${region}:${ACCOUNT}:${rest}`;
  switch (resource?.Type) {
    case 'AWS::IAM::Role':
      return at('iam', `role/${name}`, '');
    case 'AWS::IAM::ManagedPolicy':
      return at('iam', `policy/${resource.Properties.ManagedPolicyName}`, '');
    case 'AWS::EFS::FileSystem':
      return at('elasticfilesystem', `file-system/${reference(template, name)}`);
    case 'AWS::EFS::AccessPoint':
      return at('elasticfilesystem', `access-point/${reference(template, name)}`);
    case 'AWS::Lambda::Function':
      return at('lambda', `function:${resource.Properties.FunctionName}`);
    case 'AWS::Lambda::Alias':
      return `${at('lambda', `function:${resolved(template, resource.Properties.FunctionName)}`)}:live`;
    case 'AWS::SQS::Queue':
      return at('sqs', name);
    case 'AWS::S3::Bucket':
      return `arn:aws:s3:::${name.toLowerCase()}`;
    case 'AWS::SNS::Topic':
      return at('sns', name);
    case 'AWS::DynamoDB::Table':
      return at('dynamodb', `table/${name}`);
    case 'AWS::CloudWatch::Alarm':
      return at('cloudwatch', `alarm:${name}`);
    case 'AWS::Logs::LogGroup':
      return `${at('logs', `log-group:${resource.Properties.LogGroupName}`)}:*`;
    default:
      throw new TypeError(`No ARN is known for ${name} (${resource?.Type}).`);
  }
}
