import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect } from 'vitest';
import { itOnEngine as it } from '#test/harness/fixtures';

const local = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

describe('object storage and mail', () => {
  it('store a file and serve it by a signed link', async ({ cloud }) => {
    const { EXPORT_BUCKET: Bucket, S3_ENDPOINT: endpoint } = cloud.environment;
    const client = new S3Client({ ...local, endpoint: endpoint ?? '' });
    const Body = 'Köln;1\r\n'.repeat(100_000);
    const ContentDisposition = 'attachment; filename="leads.csv"';
    await client.send(
      new PutObjectCommand({ Bucket, Key: 'a/leads.csv', Body, ContentType: 'text/csv', ContentDisposition }),
    );
    const link = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: 'a/leads.csv' }), {
      expiresIn: 60,
    });
    const answer = await fetch(link);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv');
    expect(answer.headers.get('content-disposition')).toBe(ContentDisposition);
    expect(await answer.text()).toBe(Body);
    client.destroy();
  });

  it('deliver mails of the platform to the inbox', async ({ cloud }) => {
    const client = new SESClient({ ...local, endpoint: cloud.environment.SES_ENDPOINT ?? '' });
    await client.send(
      new SendEmailCommand({
        Source: 'platform@example.org',
        Destination: { ToAddresses: ['operator@example.org'] },
        Message: { Subject: { Data: 'Käse & Co' }, Body: { Text: { Data: 'Über = 1' } } },
      }),
    );
    expect(cloud.inbox.mails.at(-1)).toMatchObject({
      from: 'platform@example.org',
      to: ['operator@example.org'],
      subject: 'Käse & Co',
      text: 'Über = 1',
    });
    client.destroy();
  });
});
