/** Entry of the CDK's command line: makes the stacks of both stages. `cdk deploy "dev/*"` deploys one. */
import { App } from 'aws-cdk-lib';
import { addStages } from '#cdk/stages';

const app = new App();
addStages(app);
app.synth();
