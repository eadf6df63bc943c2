/** What all clients of the AWS SDK have in common. */

/** The endpoint of a stand-in of AWS, which asks for no particular account; without one, AWS itself. */
export function atEndpoint(endpoint: string | undefined) {
  return endpoint === undefined
    ? {}
    : { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
}

interface AnyClient {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * The client without the SDK's own log of calls: it copies each call and answer for a log that nobody writes, a
 * twentieth of a call's computing.
 */
export function withoutCallLog<Client extends AnyClient>(client: Client): Client {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
