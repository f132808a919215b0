"""What moto's CloudFormation does not do: `bucket-policy` makes one in place of that of the template, `route-tables`
removes those of a network that is deleted. `left` prints what is there."""

import json
import sys

import boto3

ec2 = boto3.client("ec2")


def delete_route_tables():
    for table in ec2.describe_route_tables()["RouteTables"]:
        associations = table["Associations"]
        if any(each.get("Main") for each in associations):
            continue
        for each in associations:
            ec2.disassociate_route_table(AssociationId=each["RouteTableAssociationId"])
        ec2.delete_route_table(RouteTableId=table["RouteTableId"])


def allow_bundles(bucket):
    statement = {
        "Effect": "Allow",
        "Principal": "*",
        "Action": "s3:GetObject",
        "Resource": f"arn:aws:s3:::{bucket}/bundles/*",
    }
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    boto3.client("s3").put_bucket_policy(Bucket=bucket, Policy=json.dumps(policy))


def left():
    vpcs = [each["VpcId"] for each in ec2.describe_vpcs()["Vpcs"] if not each["IsDefault"]]
    return {
        "networks": vpcs,
        "natGateways": ec2.describe_nat_gateways()["NatGateways"],
        "functions": [each["FunctionName"] for each in boto3.client("lambda").list_functions()["Functions"]],
        "fileSystems": [each["FileSystemId"] for each in boto3.client("efs").describe_file_systems()["FileSystems"]],
        "buckets": [each["Name"] for each in boto3.client("s3").list_buckets()["Buckets"]],
        "logGroups": [each["logGroupName"] for each in boto3.client("logs").describe_log_groups()["logGroups"]],
        "roles": [each["RoleName"] for each in boto3.client("iam").list_roles()["Roles"]],
    }


if sys.argv[1] == "bucket-policy":
    allow_bundles(sys.argv[2])
elif sys.argv[1] == "route-tables":
    delete_route_tables()
else:
    json.dump(left(), sys.stdout)
