"""Starts moto's server with stand-ins for what its CloudFormation does not make, so that outputs may name them."""

import sys

# First: of two models for one type the later one counts.
import moto.cloudformation.parsing
from moto.core.common_models import CloudFormationModel
from moto.server import main

ADDRESS = "https://abc.lambda-url.us-east-2.on.aws/"

STAND_INS = {
    "AWS::Lambda::Url": {"FunctionUrl": ADDRESS},
    # It makes those of functions alone, and these are of an alias, which it does not make.
    "AWS::Lambda::Permission": {},
    "AWS::CloudFront::Distribution": {"DomainName": "d111111abcdef8.cloudfront.net"},
    "AWS::Cognito::UserPool": {},
    "AWS::Cognito::UserPoolClient": {},
    "AWS::Cognito::UserPoolDomain": {},
}


def stand_in(type_name, attributes):
    class StandIn(CloudFormationModel):
        # moto takes the service from it.
        __module__ = "moto.cloudformation.stand_ins"

        def __init__(self, name):
            self.physical_resource_id = name

        @staticmethod
        def cloudformation_name_type():
            return ""

        @staticmethod
        def cloudformation_type():
            return type_name

        @classmethod
        def has_cfn_attr(cls, attr):
            return attr in attributes

        def get_cfn_attribute(self, attr):
            return attributes[attr]

        @classmethod
        def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
            return cls(resource_name)

        @classmethod
        def update_from_cloudformation_json(cls, original_resource, **_):
            return original_resource

        @classmethod
        def delete_from_cloudformation_json(cls, *_, **__):
            pass

    return StandIn


MODELS = [stand_in(*each) for each in STAND_INS.items()]

main(sys.argv[1:])
