/** A process of its own: unpacks the archives that it is given into its temporary folder. */
import { inflate } from '@sparticuz/chromium';

await Promise.all(process.argv.slice(2).map((archive) => inflate(archive)));
