"""Prints what a stack is made of at the endpoint that the environment names, as one JSON object."""

import json
import sys

import boto3

stack_name = sys.argv[1]
stack = boto3.client("cloudformation").describe_stacks(StackName=stack_name)["Stacks"][0]
functions = boto3.client("lambda")
files = boto3.client("efs")
file_systems = files.describe_file_systems()["FileSystems"]
ec2 = boto3.client("ec2")
iam = boto3.client("iam")
queues = boto3.client("sqs")

json.dump(
    {
        "status": stack["StackStatus"],
        "stackPolicy": json.loads(
            boto3.client("cloudformation").get_stack_policy(StackName=stack_name).get("StackPolicyBody", "null")
        ),
        "template": boto3.client("cloudformation").get_template(StackName=stack_name)["TemplateBody"],
        "outputs": {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])},
        "functions": functions.list_functions()["Functions"],
        "fileSystems": file_systems,
        "mountTargets": [
            target
            for each in file_systems
            for target in files.describe_mount_targets(FileSystemId=each["FileSystemId"])["MountTargets"]
        ],
        "accessPoints": files.describe_access_points()["AccessPoints"],
        "subnets": [each for each in ec2.describe_subnets()["Subnets"] if not each["DefaultForAz"]],
        "natGateways": ec2.describe_nat_gateways()["NatGateways"],
        "endpoints": ec2.describe_vpc_endpoints()["VpcEndpoints"],
        "managedPolicies": [each["PolicyName"] for each in iam.list_policies(Scope="Local")["Policies"]],
        "logGroups": boto3.client("logs").describe_log_groups()["logGroups"],
        "parameters": {
            each["Name"]: [each["Type"], each["Value"]]
            for each in boto3.client("ssm").get_parameters_by_path(
                Path="/pagetree", Recursive=True, WithDecryption=True
            )["Parameters"]
        },
        "tables": {
            name: boto3.client("dynamodb").scan(TableName=name)["Items"]
            for name in boto3.client("dynamodb").list_tables()["TableNames"]
        },
        "queues": queues.list_queues().get("QueueUrls", []),
    },
    sys.stdout,
    default=str,
)
