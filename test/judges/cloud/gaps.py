"""
Closes gaps of the emulator, then starts it. Each function is one gap: what the emulator does, what AWS does, and where AWS says so.
Gaps that would help every user of the emulator are marked "For upstream".

Written for the emulator's version that `emulator.ts` pins, because it replaces private functions.
"""

import base64
import json
import os
import random
import re
import subprocess
import sys
import time
from types import SimpleNamespace

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from ministack import app
from ministack.core import iam_actions, iam_evaluator, lambda_runtime, sigv4
from ministack.core.responses import error_response_json, get_region, new_uuid
from ministack.services import apigateway, cloudfront, dynamodb, lambda_svc, s3, sqs
from ministack.services.cloudformation import drift, engine, provisioners, _stacks

PORT = int(os.environ["GATEWAY_PORT"])
RESOURCES = provisioners._RESOURCE_HANDLERS
BY_NAME = {
    "create": lambda logical_id, props, stack: (f"{stack}-{logical_id}", {}),
    "update": lambda physical_id, old, new, stack: (physical_id, {}),
    "delete": lambda physical_id, props: None,
}


def calls_count_as_encrypted():
    """
    The emulator listens without TLS, and policies that require `aws:SecureTransport` refuse every call. Its loopback address
    takes the place of AWS's TLS endpoints.
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-securetransport
    """
    pin = iam_evaluator.pin_request_origin
    app.pin_request_origin = lambda address, secure: pin(address, True)
    serve = cloudfront.handle_viewer_request

    def serve_encrypted(dist, method, path, uri, query, headers, *rest, **named):
        return serve(dist, method, path, uri, query, {**headers, "x-forwarded-proto": "https"}, *rest, **named)

    cloudfront.handle_viewer_request = serve_encrypted


def deployments_of_versions():
    """
    CodeDeploy is unknown. Here CloudFormation moves an alias at once; on AWS it lets CodeDeploy do so, by the template's pace.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html#cfn-attributes-updatepolicy-codedeploylambdaaliasupdate
    """
    for kind in ("Application", "DeploymentGroup"):
        RESOURCES[f"AWS::CodeDeploy::{kind}"] = BY_NAME


def resources_for_people():
    """
    For upstream: budgets and saved queries are unknown. Here they are names without an effect.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-budgets-budget.html
    """
    for kind in ("Budgets::Budget", "Logs::QueryDefinition"):
        RESOURCES[f"AWS::{kind}"] = BY_NAME


def keys_of_distributions():
    """
    For upstream: CloudFormation does not know keys and key groups of CloudFront, although its API does.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudfront-keygroup.html
    """

    def create(kind, new_id, records):
        def created(logical_id, props, stack):
            record = {
                "Id": new_id(),
                "ETag": new_uuid(),
                "CreatedTime": cloudfront._now_iso(),
                "LastModifiedTime": cloudfront._now_iso(),
                "Config": props[f"{kind}Config"],
            }
            records[record["Id"]] = record
            return record["Id"], {"Id": record["Id"]}

        return created

    def create_group(logical_id, props, stack):
        unknown = [key for key in props["KeyGroupConfig"]["Items"] if key not in cloudfront._public_keys]
        if unknown:
            raise ValueError(f"Public keys do not exist: {unknown}")
        return create("KeyGroup", cloudfront._kg_id, cloudfront._key_groups)(logical_id, props, stack)

    def update_group(physical_id, old, new, stack):
        cloudfront._key_groups[physical_id]["Config"] = new["KeyGroupConfig"]
        return physical_id, {"Id": physical_id}

    def delete_key(physical_id, props):
        if cloudfront._public_keys_using(physical_id):
            raise ValueError(f"PublicKeyInUse: {physical_id}")
        cloudfront._public_keys.pop(physical_id, None)

    RESOURCES["AWS::CloudFront::PublicKey"] = {
        "create": create("PublicKey", cloudfront._pk_id, cloudfront._public_keys),
        "delete": delete_key,
    }
    RESOURCES["AWS::CloudFront::KeyGroup"] = {
        "create": create_group,
        "update": update_group,
        "delete": lambda physical_id, props: cloudfront._key_groups.pop(physical_id, None),
    }


def signed_cookies():
    """
    For upstream: behaviors with trusted key groups are served to everybody. CloudFront serves them to cookies signed by a
    key of the group only.
    https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-setting-signed-cookie-custom-policy.html
    """
    behavior_of = cloudfront._dataplane_behavior
    serve = cloudfront.handle_viewer_request

    def behavior(element, *rest, **named):
        found = behavior_of(element, *rest, **named)
        found["key_groups"] = [group.text for group in element.iter() if cloudfront._local_tag_name(group) == "KeyGroup"]
        return found

    def refusal(groups, cookies):
        key_id = cookies.get("CloudFront-Key-Pair-Id")
        if key_id is None:
            return "Missing Key-Pair-Id query parameter or cookie value"
        if not any(key_id in cloudfront._key_groups[group]["Config"]["Items"] for group in groups):
            return "Unknown Key"
        decoded = lambda name: base64.b64decode(cookies.get(name, "").translate(str.maketrans("-_~", "+=/")))
        key = cloudfront._public_keys[key_id]["Config"]["EncodedKey"]
        try:
            policy = decoded("CloudFront-Policy")
            serialization.load_pem_public_key(key.encode()).verify(
                decoded("CloudFront-Signature"), policy, padding.PKCS1v15(), hashes.SHA1()
            )
            until = json.loads(policy)["Statement"][0]["Condition"]["DateLessThan"]["AWS:EpochTime"]
        except Exception:
            return "Access denied"
        return None if time.time() < until else "Access denied"

    async def serve_signed(dist, method, path, uri, query, headers, *rest, **named):
        behavior = cloudfront._match_behavior(cloudfront.parse_distribution_dataplane_config(dist), path) or {}
        pairs = [pair.strip().partition("=") for pair in headers.get("cookie", "").split(";")]
        reason = behavior.get("key_groups") and refusal(behavior["key_groups"], {name: value for name, _, value in pairs})
        if reason:
            body = f"<Error><Code>MissingKey</Code><Message>{reason}</Message></Error>"
            return 403, {"Content-Type": "text/xml"}, body.encode()
        return await serve(dist, method, path, uri, query, headers, *rest, **named)

    cloudfront._dataplane_behavior = behavior
    cloudfront.handle_viewer_request = serve_signed


def runtime_of_functions():
    """
    Functions of the CDK expect AWS's Python and their layers in `/opt`, and what their child processes print would be taken
    for their answer.
    https://docs.aws.amazon.com/lambda/latest/dg/chapter-layers.html
    """
    start = lambda_runtime.subprocess.Popen

    def replace(path, old, new):
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace(old, new))

    def start_with_layer(command, cwd, env, **options):
        layer = env.get("_LAMBDA_LAYERS_DIRS")
        if layer:
            program = os.path.join(layer, "awscli", "aws")
            replace(program, "/var/lang/bin/python", sys.executable)
            os.chmod(program, 0o755)
            replace(os.path.join(cwd, "index.py"), "/opt/", f"{layer}/")
        return start(command, cwd=cwd, env=env, **options)

    lambda_runtime.subprocess = SimpleNamespace(**{**vars(subprocess), "Popen": start_with_layer})
    lambda_runtime._PYTHON_WORKER_SCRIPT = lambda_runtime._PYTHON_WORKER_SCRIPT.replace(
        "_real_stdout = sys.stdout", "_real_stdout = os.fdopen(os.dup(1), 'w'); os.dup2(2, 1)"
    )


def tags_of_buckets():
    """
    For upstream: CloudFormation's buckets have no tags. The CDK empties a bucket only if it carries its tag.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-bucket.html#cfn-s3-bucket-tags
    """
    create, update = provisioners._s3_create, provisioners._s3_update

    def tag(result, props):
        s3._bucket_tags[result[0]] = {tag["Key"]: tag["Value"] for tag in props.get("Tags", [])}
        return result

    RESOURCES["AWS::S3::Bucket"]["create"] = lambda logical_id, props, stack: tag(create(logical_id, props, stack), props)
    RESOURCES["AWS::S3::Bucket"]["update"] = lambda physical_id, old, new, stack: tag(
        update(physical_id, old, new, stack), new
    )


def references_to_secrets():
    """
    For upstream: `Ref` of a secret gives its name. AWS gives its ARN.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-secret.html#aws-resource-secretsmanager-secret-return-values
    """
    secrets = provisioners._sm._secrets
    handler = RESOURCES["AWS::SecretsManager::Secret"]
    create, update, delete = handler["create"], handler["update"], handler["delete"]

    def name_of(arn):
        return next((name for name, secret in secrets.items() if secret["ARN"] == arn), arn)

    def by_arn(result):
        return secrets[result[0]]["ARN"], result[1]

    handler["create"] = lambda *args: by_arn(create(*args))
    handler["update"] = lambda physical_id, *rest, **named: by_arn(update(name_of(physical_id), *rest, **named))
    handler["delete"] = lambda physical_id, props: delete(name_of(physical_id), props)
    read, compared = drift._DRIFT_READERS["AWS::SecretsManager::Secret"]
    drift._DRIFT_READERS["AWS::SecretsManager::Secret"] = lambda arn, props: read(name_of(arn), props), compared


def outputs_of_other_regions():
    """
    For upstream: `Fn::GetStackOutput` looks in the stack's own region. AWS looks in the region that it names.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-getstackoutput.html
    """
    resolve = engine._resolve_refs

    def resolve_there(value, *context):
        wanted = value.get("Fn::GetStackOutput") if isinstance(value, dict) and len(value) == 1 else None
        if not isinstance(wanted, dict) or "Region" not in wanted:
            return resolve(value, *context)
        region = get_region()
        app.set_request_region(resolve_there(wanted["Region"], *context))
        try:
            return resolve(value, *context)
        finally:
            app.set_request_region(region)

    engine._resolve_refs = resolve_there


def calls_of_distributions_to_apis():
    """
    For upstream: hosts of AWS are refused as custom origins. CloudFront calls an HTTP API by its own host.
    https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/DownloadDistS3AndCustomOrigins.html
    """
    host = re.compile(r"^([a-z0-9]+)\.execute-api\.[a-z0-9-]+\.amazonaws\.com$")
    headers_to, target, owned = (
        cloudfront._origin_request_headers,
        cloudfront._origin_connect_target,
        cloudfront._is_aws_owned_host,
    )

    def headers(origin, *rest):
        sent = headers_to(origin, *rest)
        api = host.match(origin["domain_name"])
        if api:
            cloudfront._set_header_ci(sent, "Host", f"{api[1]}.execute-api.localhost")
        return sent

    def connect(origin, https):
        return ("127.0.0.1", PORT, False) if host.match(origin["domain_name"]) else target(origin, https)

    cloudfront._origin_request_headers = headers
    cloudfront._origin_connect_target = connect
    cloudfront._is_aws_owned_host = lambda name: name != "127.0.0.1" and owned(name)


def cookies_of_events():
    """
    For upstream: events of format 2.0 have a header `cookie`. AWS gives the cookies as an array instead.
    https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
    """
    run = apigateway.run_reentrant

    def run_with_cookies(function, record=None, event=None, *rest, **named):
        if isinstance(event, dict) and event.get("version") == "2.0":
            cookies = event["headers"].pop("cookie", "")
            if cookies:
                event["cookies"] = cookies.split("; ")
        return run(function, record, event, *rest, **named)

    apigateway.run_reentrant = run_with_cookies


def batches_of_messages():
    """
    For upstream: sending several messages asks for a right of its own. On SQS it is the right to send one.
    https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html
    """
    action_of = iam_actions.extract_iam_action

    def action(*args):
        found = action_of(*args)
        return found.removesuffix("Batch") if found and found.startswith("sqs:") else found

    iam_actions.extract_iam_action = action


def updates_of_tables():
    """
    For upstream: a change of a global table without a name replaces it. AWS changes it in place, also its protection.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-dynamodb-globaltable-replicaspecification.html
    """
    handler = RESOURCES["AWS::DynamoDB::GlobalTable"]
    update = handler["update"]

    def update_in_place(name, old, new, stack):
        protection = {"DeletionProtectionEnabled": new["Replicas"][0].get("DeletionProtectionEnabled", False)}
        return update(name, {**old, "TableName": name}, {**new, **protection, "TableName": name}, stack)

    handler["update"] = update_in_place


def alarms_on_expressions():
    """
    For upstream: alarms on metric math are refused. AWS calculates the expression; here such an alarm stays without data.
    https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudwatch-alarm.html#cfn-cloudwatch-alarm-metrics
    """
    record = provisioners._cw_metric_alarm_record

    def record_with_expression(name, props):
        without = {key: value for key, value in props.items() if key != "Metrics"}
        return record(name, {"Namespace": "Expressions", "MetricName": name, **without} if "Metrics" in props else props)

    provisioners._cw_metric_alarm_record = record_with_expression


def moves_of_messages():
    """
    For upstream: dead letters cannot be moved back. SQS moves them by a task; here all of them at once, whatever the pace.
    https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
    """
    tasks = []

    def start(data, url):
        source, destination = sqs._queue_by_arn(data["SourceArn"]), sqs._queue_by_arn(data["DestinationArn"])
        if source is None or destination is None:
            raise sqs._Err("ResourceNotFoundException", "The queue does not exist", 404)
        now = time.time()
        moved = [message for message in source["messages"] if message["visible_at"] <= now]
        source["messages"] = [message for message in source["messages"] if message["visible_at"] > now]
        destination["messages"] += [{**message, "receipt_handle": None, "receive_count": 0} for message in moved]
        sqs.esm_wake.set()
        task = {key: data[key] for key in ("SourceArn", "DestinationArn", "MaxNumberOfMessagesPerSecond") if key in data}
        counts = {"ApproximateNumberOfMessagesMoved": len(moved), "ApproximateNumberOfMessagesToMove": len(moved)}
        tasks.insert(0, {**task, **counts, "Status": "COMPLETED", "StartedTimestamp": int(now * 1000)})
        return {"TaskHandle": new_uuid()}

    sqs._HANDLERS["StartMessageMoveTask"] = start
    sqs._HANDLERS["ListMessageMoveTasks"] = lambda data, url: {
        "Results": [task for task in tasks if task["SourceArn"] == data["SourceArn"]][: data.get("MaxResults", 1)]
    }


class TableOfItem(str):
    """The ARN of a table in a transaction, with the item's partition."""

    keys: list


def leading_keys():
    """
    For upstream: `dynamodb:LeadingKeys` is missing, so `ForAllValues` holds for every item. AWS compares the partition of each
    item, also within transactions and batches.
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
    """
    context_of = iam_actions.dynamodb_service_context
    checks_of = iam_actions.dynamodb_transaction_checks
    enforce = iam_evaluator.enforce
    condition = re.compile(r"^\s*(#?\w+)\s*=\s*(:\w+)")

    def partition(key):
        return next((key[name]["S"] for name in ("pk", *key) if name in key), None)

    def partitions(request):
        items = [request.get("Key"), request.get("Item")]
        for entries in (request.get("RequestItems") or {}).values():
            for entry in entries if isinstance(entries, list) else entries.get("Keys", []):
                items.append(next((entry[act].get(of) for act, of in (("PutRequest", "Item"), ("DeleteRequest", "Key")) if act in entry), entry))
        found = [partition(item) for item in items if item]
        query = condition.match(request.get("KeyConditionExpression") or "")
        if query:
            found.append(request["ExpressionAttributeValues"][query[2]]["S"])
        return found

    def context(body):
        return {**context_of(body), "dynamodb:LeadingKeys": partitions(json.loads(body or b"{}"))}

    def checks(action, body, region, account):
        found = checks_of(action, body, region, account)
        details = [detail for item in json.loads(body).get("TransactItems", []) for detail in item.values()] if found else []
        tables = []
        for (item_action, arn), detail in zip(found, details, strict=True):
            table = TableOfItem(arn)
            table.keys = partitions(detail)
            tables.append((item_action, table))
        return tables

    def enforce_keys(access_key, action, service, region, resource_arn="*", service_context=None):
        if isinstance(resource_arn, TableOfItem):
            service_context = {**(service_context or {}), "dynamodb:LeadingKeys": resource_arn.keys}
        return enforce(access_key, action, service, region, resource_arn=resource_arn, service_context=service_context)

    iam_actions.dynamodb_service_context = context
    iam_actions.dynamodb_transaction_checks = checks
    iam_evaluator.enforce = enforce_keys


def invocations_end():
    """
    For upstream: a version that goes takes its running invocations with it. Lambda shuts an environment down between
    invocations, so a call that a deployment overtakes ends on the version on which it began.
    https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-shutdown
    """
    kill, release = lambda_runtime.kill_workers, lambda_svc.release_worker

    def kill_idle(workers):
        workers = [worker for worker in workers if worker is not None]
        for worker in workers:
            worker.is_retired = worker.in_use
        kill([worker for worker in workers if not worker.in_use])

    def release_or_kill(worker):
        release(worker)
        if getattr(worker, "is_retired", False):
            kill([worker])

    lambda_runtime.kill_workers = kill_idle
    lambda_svc.release_worker = release_or_kill


def rights_of_pollers():
    """
    For upstream: messages are received and deleted without rights. Lambda does both with the role of the function.
    https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html#events-sqs-permissions
    """
    receive, delete = sqs._receive_messages_for_esm, sqs._delete_messages_for_esm

    def may(action, url):
        queue = sqs._get_q(url)["attributes"]["QueueArn"]
        mapping = next(mapping for _, _, mapping in lambda_svc._iter_all_esms() if mapping["EventSourceArn"] == queue)
        _, config = lambda_svc._get_func_record_for_qualifier(mapping["FunctionName"], mapping.get("Qualifier"))
        key = lambda_runtime.execution_credentials(config)["AWS_ACCESS_KEY_ID"]
        iam_evaluator.pin_request_origin("127.0.0.1", True)
        return iam_evaluator.enforce(key, f"sqs:{action}", "sqs", get_region(), resource_arn=queue) is None

    def receive_if_allowed(url, most):
        return receive(url, most) if sqs._get_q(url)["messages"] and may("ReceiveMessage", url) else []

    def delete_if_allowed(url, handles):
        if may("DeleteMessage", url):
            delete(url, handles)

    sqs._receive_messages_for_esm = receive_if_allowed
    sqs._delete_messages_for_esm = delete_if_allowed


def failed_records_of_streams():
    """
    For upstream: a batch of a stream counts as processed whatever its function answers. Lambda repeats it from the first record
    that the function names; here the whole of it, which Lambda may do as well.
    https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
    """
    execute = lambda_svc._execute_function

    def execute_or_fail(function, event, *rest, **named):
        result = execute(function, event, *rest, **named)
        records = event.get("Records") if isinstance(event, dict) else None
        if not records or records[0].get("eventSource") != "aws:dynamodb" or result.get("error"):
            return result
        body = result.get("body")
        answer = json.loads(body) if isinstance(body, str) and body else body
        failures = answer.get("batchItemFailures") if isinstance(answer, dict) else None
        return {**result, "error": True, "body": {"errorType": "BatchItemFailures"}} if failures else result

    lambda_svc._execute_function = execute_or_fail


def clock_of_the_judge():
    """
    Not a gap: while a file `clock` with seconds is in the emulator's folder, its time is so much later. That of its functions is moved by
    `clock.cjs`. Calls that were signed at the real time are accepted.
    """
    real, file = time.time, os.path.join(os.environ["STATE_DIR"], "clock")

    def moved():
        try:
            with open(file) as seconds:
                return real() + float(seconds.read())
        except FileNotFoundError:
            return real()

    start, clock = lambda_runtime.subprocess.Popen, os.path.join(os.path.dirname(__file__), "clock.cjs")

    def start_with_clock(command, cwd, env, **options):
        node = f"{env.get('NODE_OPTIONS', '')} --require {clock}"
        return start(command, cwd=cwd, env={**env, "NODE_OPTIONS": node}, **options)

    lambda_runtime.subprocess.Popen = start_with_clock
    time.time = moved
    sigv4.request_time_failure = lambda *args, **named: None


def throttled_table():
    """
    The emulator never throttles. While a file `throttle` with a share is in its folder, that share of the calls for items is
    refused, in the ways of AWS; a line for each is logged, which the judge counts.
    https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
    """
    serve = dynamodb.handle_request
    file = os.path.join(os.environ["STATE_DIR"], "throttle")
    message = "Rate of requests exceeds the allowed throughput."

    def refusal(action, body):
        if action == "TransactWriteItems":
            code = random.choice(["ThrottlingError", "ProvisionedThroughputExceeded"])
            reasons = [{"Code": "None"} for _ in json.loads(body)["TransactItems"]]
            random.choice(reasons).update(Code=code, Message=message)
            text = f"Transaction cancelled, please refer cancellation reasons for specific reasons [{', '.join(reason['Code'] for reason in reasons)}]"
            type_of = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"
            answer = {"__type": type_of, "message": text, "CancellationReasons": reasons}
            return code, (400, {"Content-Type": "application/x-amz-json-1.0"}, json.dumps(answer).encode())
        code = random.choice(["ThrottlingException", "ProvisionedThroughputExceededException"])
        return code, error_response_json(code, message, 400)

    async def serve_or_throttle(method, path, headers, body, query):
        action = headers.get("x-amz-target", "").rpartition(".")[2]
        if os.path.exists(file) and re.search("Item|Query|Scan", action):
            with open(file) as share:
                if random.random() < float(share.read()):
                    code, answer = refusal(action, body)
                    print(f"THROTTLED {action} {code}", flush=True)
                    return answer
        return await serve(method, path, headers, body, query)

    dynamodb.handle_request = serve_or_throttle


def log_of_refusals():
    """Not a gap: a line for every refused right, which the judge reads. Expired sessions of the command line do not count."""
    enforce = iam_evaluator.enforce

    def enforce_and_log(access_key, action, service, region, resource_arn="*", service_context=None):
        refused = enforce(access_key, action, service, region, resource_arn=resource_arn, service_context=service_context)
        if isinstance(refused, iam_evaluator.EvalResult):
            print(f"REFUSED {action} on {resource_arn} for {refused.principal_arn} {service_context or ''}", flush=True)
        return refused

    iam_evaluator.enforce = enforce_and_log


for close in (
    calls_count_as_encrypted,
    deployments_of_versions,
    resources_for_people,
    keys_of_distributions,
    signed_cookies,
    runtime_of_functions,
    tags_of_buckets,
    references_to_secrets,
    outputs_of_other_regions,
    calls_of_distributions_to_apis,
    cookies_of_events,
    batches_of_messages,
    updates_of_tables,
    alarms_on_expressions,
    moves_of_messages,
    leading_keys,
    invocations_end,
    rights_of_pollers,
    failed_records_of_streams,
    clock_of_the_judge,
    throttled_table,
    log_of_refusals,
):
    close()
app.main()
