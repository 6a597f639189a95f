import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { zipStream } from './zip-stream.ts'

const at = new Date(2026, 1, 3, 10, 15, 20)

async function* entriesOf(contents: Record<string, string>) {
  for (const [name, text] of Object.entries(contents)) yield { name, bytes: Buffer.from(text) }
}

const text = (files: Record<string, Uint8Array>) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))

describe('a ZIP file in pieces', () => {
  const contents = { 'data.json': '{}', 'papers/Übung 3.pdf': '%PDF-1.7', 'photos/leer.jpg': '' }

  it.each([
    ['as it is', undefined],
    ['with ZIP64 records where an entry is far from the start', { offset: 60, entries: 100 }],
    ['with ZIP64 records for many entries', { offset: 10_000, entries: 2 }],
  ])('has every entry under its name, %s', async (_, limits) => {
    const zip = await buffer(zipStream(entriesOf(contents), at, limits))
    expect(text(unzipSync(zip))).toEqual(contents)
    expect(zip.includes(Buffer.from('PK\x06\x06'))).toBe(limits !== undefined)
  })

  it('is a ZIP file without entries, too', async () => {
    const zip = await buffer(zipStream(entriesOf({}), at))
    expect(unzipSync(zip)).toEqual({})
  })

  it('has more entries than a plain ZIP file may have, none of them lost', async () => {
    const many = Object.fromEntries(Array.from({ length: 66_000 }, (_, i) => [`photos/${i}.jpg`, `${i}`]))
    const zip = await buffer(zipStream(entriesOf(many), at))
    expect(Object.keys(unzipSync(zip))).toHaveLength(66_000)
  })
})
