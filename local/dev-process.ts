/** The process of the functions under `npm run dev`. Loads packages ahead, which halves the time after an edit. */
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
// The parent has ended. The next start finishes incomplete work.
process.on('disconnect', () => process.exit());
