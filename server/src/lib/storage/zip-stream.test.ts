import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { zipStream } from './zip-stream.ts'

const at = new Date(2026, 1, 3, 10, 15, 20)

describe('zipStream', () => {
  it('has every entry under its name, an empty one too', async () => {
    const contents = { 'data.json': '{}', 'papers/Übung 3.pdf': '%PDF-1.7', 'photos/leer.jpg': '' }
    async function* entries() {
      for (const [name, text] of Object.entries(contents)) yield { name, bytes: Buffer.from(text) }
    }
    const files = unzipSync(await buffer(zipStream(entries(), at)))
    const texts = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])
    expect(Object.fromEntries(texts)).toEqual(contents)
  })

  it('asks for an entry only when those before it were read, and for none once the reader stops', async () => {
    let made = 0
    let isClosed = false
    async function* entries() {
      try {
        for (; ; made++) yield { name: `${made}.jpg`, bytes: Buffer.alloc(1_000_000) }
      } finally {
        isClosed = true
      }
    }
    let read = 0
    for await (const piece of zipStream(entries(), at)) {
      read += piece.length
      expect(made * 1_000_000 - read).toBeLessThan(2_000_000)
      if (read > 10_000_000) break
    }
    expect(isClosed).toBe(true)
  })

  it('fails as its entries fail', async () => {
    // biome-ignore lint/correctness/useYield: it fails before its first entry
    async function* entries(): AsyncGenerator<never> {
      throw new Error('The file store is away.')
    }
    await expect(buffer(zipStream(entries(), at))).rejects.toThrow('The file store is away.')
  })
})
