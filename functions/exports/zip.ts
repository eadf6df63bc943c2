/** Writes a ZIP file by file, so that only what is compressed stays in memory. */

export interface ZipWriter {
  add(name: string, content: Uint8Array): void;
  end(): Uint8Array;
}

export async function createZip(now: Date): Promise<ZipWriter> {
  // On demand, because most processes never write one.
  const { Zip, ZipDeflate } = await import('fflate');
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  return {
    add(name, content) {
      const file = new ZipDeflate(name);
      file.mtime = now;
      zip.add(file);
      file.push(content, true);
    },
    end() {
      zip.end();
      return Buffer.concat(chunks);
    },
  };
}
