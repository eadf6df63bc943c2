/**
 * Where the functions run under `npm run dev`: loads the packages ahead, which do not change, and the code, which does,
 * when it is told to. That takes half of the start off the time after an edit.
 */
import '@aws-sdk/client-dynamodb';
import '@aws-sdk/client-sqs';
import '@aws-sdk/lib-dynamodb';
import 'fauxqs';
import 'jose';
import 'libsql';
import 'postal-mime';
import 'smtp-server';
import 'zod/mini';

process.once('message', () => void import('#local/dev-functions'));
// Whoever started this one is gone; what is half done is finished at the next start.
process.on('disconnect', () => process.exit());
