import ZipStream from 'zip-stream'

export interface ZipEntry {
  /** With folders, as “papers/Quiz 4.pdf”. */
  name: string
  bytes: Buffer
}

/**
 * A ZIP file in pieces, as its entries come: the next is asked for once the last was read. They are PDFs and pictures and are
 * not compressed again. Where they are many or large, the ZIP64 extension tells where each is; each entry is under 4 GiB.
 */
export async function* zipStream(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Uint8Array> {
  const zip = new ZipStream({ store: true, forceLocalTime: true })
  for await (const { name, bytes } of entries) {
    // Without a mode it says MS-DOS made it, and unzip takes names for those of an old code page.
    zip.entry(bytes, { name, date: at, mode: 0o100644 })
    for (let piece = zip.read(); piece; piece = zip.read()) yield piece
  }
  zip.finalize()
  yield* zip
}
