/** Run by the CDK's command line; makes the stacks of both stages. Which one is deployed is said there: `cdk deploy "dev/*"`. */
import { App } from 'aws-cdk-lib';
import { addStages } from '#cdk/stages';

const app = new App();
addStages(app);
app.synth();
