import { open } from 'node:fs/promises'

/**
 * True when `%PDF-` stands in the first 1,024 bytes, which is where readers look for it: mail
 * gateways and some scanners put a few bytes before it. The file's name says nothing.
 */
export async function hasPdfSignature(file: string): Promise<boolean> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0)
    return buffer.subarray(0, bytesRead).includes('%PDF-')
  } finally {
    await handle.close()
  }
}
