import ZipStream from 'zip-stream'

export interface ZipEntry {
  name: string
  bytes: Buffer
}

/** Each entry is requested once the last was read, and stored uncompressed. Each must be under 4 GiB (ZIP64). */
export async function* zipStream(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Uint8Array> {
  const zip = new ZipStream({ store: true, forceLocalTime: true })
  for await (const { name, bytes } of entries) {
    // Without a mode it claims MS-DOS, and unzip reads names in an old code page.
    zip.entry(bytes, { name, date: at, mode: 0o100644 })
    for (let piece = zip.read(); piece; piece = zip.read()) yield piece
  }
  zip.finalize()
  yield* zip
}
