import type { AccessPoint, FileSystem } from 'aws-cdk-lib/aws-efs';
import {
  AccountRootPrincipal,
  CompositePrincipal,
  InstanceProfile,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { mountStatement } from './execution-role.ts';

/**
 * The role by which a person can access the files themselves, as docs/repair.md needs it. Nobody has it by
 * default: it is for people whom the account's own policies allow to assume it, or to give it to an instance.
 */
export class BreakGlass extends Construct {
  readonly role: Role;
  readonly profile: InstanceProfile;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: new CompositePrincipal(
        new AccountRootPrincipal(),
        new ServicePrincipal('ec2.amazonaws.com'),
      ),
      description: 'Mounts the wikis of Pagetree by hand, to look at damage and to restore',
    });
    this.profile = new InstanceProfile(this, 'Profile', { role: this.role });
  }

  /** Lets the role read and write through this access point, with the rights of its user. */
  mount(fileSystem: FileSystem, accessPoint: AccessPoint): void {
    this.role.addToPolicy(mountStatement(this, fileSystem, accessPoint, true));
  }
}
