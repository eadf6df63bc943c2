/** Runs as a separate process: unpacks the given archives into its temporary folder. */
import { inflate } from '@sparticuz/chromium';

await Promise.all(process.argv.slice(2).map((archive) => inflate(archive)));
