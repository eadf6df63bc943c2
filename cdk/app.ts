/**
 * Entry of the CDK's command line: makes the stacks of both stages, of which `cdk deploy "dev/*"` deploys one, or with
 * `-c stage=pr-12` the stack of a pull request.
 */
import { App } from 'aws-cdk-lib';
import { addToApp } from '#cdk/stages';

const app = new App();
addToApp(app);
app.synth();
