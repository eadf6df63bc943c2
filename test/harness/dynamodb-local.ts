/**
 * Amazon's DynamoDB Local as the engine of the integration tests. Needs Java 17. Its files,
 * 50 MB, are downloaded once from Maven Central by Maven and stored outside the repository.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Engine, freePort } from '#local/engine';
import { startServerProcess } from '#test/harness/server-process';

const VERSION = '2.6.1';
const MIN_JAVA = 17;
const CACHE = join(homedir(), '.cache', 'lead-distribution');
const HOME = join(CACHE, `dynamodb-local-${VERSION}`);

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>dynamodb-local</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>com.amazonaws</groupId><artifactId>DynamoDBLocal</artifactId><version>${VERSION}</version>
  </dependency></dependencies>
</project>`;

function missingJava(): string | undefined {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const version = Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0);
  return version < MIN_JAVA ? `Java ${MIN_JAVA} is not installed` : undefined;
}

/**
 * Downloads it if it is missing.
 * @returns why it cannot run on this machine, or undefined
 */
export function fetchDynamoDbLocal(): string | undefined {
  const missing = missingJava();
  if (missing !== undefined) return missing;
  if (existsSync(HOME)) return undefined;
  if (spawnSync('mvn', ['-version']).status !== 0) return 'Maven is not installed';
  mkdirSync(CACHE, { recursive: true });
  // Renamed when complete, so that an interrupted download never looks complete.
  const folder = mkdtempSync(join(CACHE, 'fetch-'));
  writeFileSync(join(folder, 'pom.xml'), POM);
  const goal = ['dependency:copy-dependencies', '-DoutputDirectory=lib', '-DincludeScope=runtime'];
  const { status, stdout } = spawnSync('mvn', ['-B', '-q', ...goal], { cwd: folder, encoding: 'utf8' });
  if (status === 0) renameSync(folder, HOME);
  else rmSync(folder, { recursive: true, force: true });
  return status === 0 ? undefined : `Maven could not fetch DynamoDB Local: ${stdout.trim()}`;
}

const JAVA_OPTIONS = ['-Xmx512m', '-XX:+UseSerialGC', '-Djava.library.path=lib', '-cp', 'lib/*'];
/**
 * Starts it on a free loopback port.
 * @param folder of its database, to keep it over a restart; in memory by default
 * @throws Error if it does not start
 */
export async function startDynamoDbLocal(folder?: string): Promise<Engine> {
  const problem = fetchDynamoDbLocal();
  if (problem !== undefined) throw new Error(problem);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const server = await startServerProcess(
    'java',
    [
      ...JAVA_OPTIONS,
      'com.amazonaws.services.dynamodbv2.local.main.ServerRunner',
      '-disableTelemetry',
      '-port',
      String(port),
      ...(folder === undefined ? ['-inMemory'] : ['-dbPath', folder]),
    ],
    { cwd: HOME },
    () => answers(port),
  );
  // No connection is open and SQLite keeps confirmed writes.
  return { endpoint: `http://127.0.0.1:${port}`, stop: server.stop };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
