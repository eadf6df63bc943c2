/** A separate product for one part of the attack, with its external services. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '#local/api-client';
import { freePort } from '#local/engine';
import { Journal } from '#test/attack/journal';
import { type Outside, startOutside } from '#test/attack/outside';
import type { PartResult } from '#test/attack/part';
import { ADMIN } from '#test/harness/cloud';
import { type ProductProcess, productProcess } from '#test/harness/product-process';
import { seeded } from '#test/harness/random';

interface Attacked {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly outside: Outside;
  readonly product: ProductProcess;
  readonly journal: Journal;
  /** Logged in. */
  readonly admin: ApiClient;
}

/** Starts the product, and kills it afterwards; keeps its data if an invariant is broken. */
export async function attacked(
  seed: number,
  reconcileSeconds: number,
  attack: (attacked: Attacked) => Promise<PartResult>,
): Promise<PartResult> {
  const dataDir = join(tmpdir(), `lead-attack-${randomUUID()}`);
  const journal = new Journal();
  const outside = await startOutside(seeded(seed + 1));
  const environment = {
    ...outside.environment,
    ADMIN_PASSWORD: ADMIN.password,
    RECONCILE_SECONDS: String(reconcileSeconds),
  };
  const product = await productProcess({ dataDir, port: await freePort(), environment });
  let isKept = false;
  try {
    await journal.start(product);
    const admin = new ApiClient(product.url);
    await admin.logIn(ADMIN);
    const result = await attack({ dataDir, environment, outside, product, journal, admin });
    isKept = result.broken.length > 0;
    return isKept
      ? { ...result, broken: [...result.broken, `data and keys are kept in ${dataDir}`] }
      : result;
  } finally {
    product.signal('SIGKILL');
    await product.ended();
    await outside.stop();
    if (!isKept) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
