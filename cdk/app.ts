/** `cdk deploy "dev/*"` deploys a stage, `-c stage=pr-12` selects the stack of a pull request. */
import { App } from 'aws-cdk-lib';
import { addToApp } from '#cdk/stages';

const app = new App();
addToApp(app);
app.synth();
