import sharp from 'sharp'
import { createPaperReader, type PaperReader } from '../../server/src/papers/paper-reader.ts'
import { picturesToPdf } from '../../server/src/papers/pdf/pictures-to-pdf.ts'
import type { Paper } from '../../shared/src/papers.ts'
import { drawEssay } from '../papers/draw-essay.ts'
import { largeHeic } from '../papers/heic-picture.ts'
import { drawPhotoJpeg, type PhotoOptions, type Table } from '../papers/photo.ts'
import { createPaperFolder } from '../papers/temporary-papers.ts'
import type { BenchReport } from './bench-report.ts'
import { watchMemory } from './process-tree.ts'

/** Photos are drawn by it. What finds and evens sheets was tuned on others. */
export const REPORTED_SEED = 5000
export const TUNED_SEED = 100

const tables: readonly Table[] = ['wood', 'checks', 'dark', 'stripes', 'white']

export interface PhotoFigures {
  table: Table
  photos: number
  /** Sheets found. */
  found: number
  /** Parts of the words written that were read, and of those read that were not written. */
  right: number
  extra: number
  /** Of the worst photo. */
  worst: number
}

/** Words read on photos of printed pages at an angle, with a shadow across them, by what lies under them. */
export async function measurePhotoWords(seed: number, each: number, options: Partial<PhotoOptions> = {}) {
  const folder = await createPaperFolder()
  const reader = createPaperReader({ processes: 1 })
  try {
    const figures: PhotoFigures[] = []
    let seconds = 0
    for (const [t, table] of tables.entries()) {
      const sum = { written: 0, right: 0, read: 0, found: 0, worst: 1 }
      for (let i = 0; i < each; i += 1) {
        const essay = await drawEssay(1, seed + 10 * t + i)
        const jpeg = await drawPhotoJpeg(essay, {
          seed: seed + 100 * t + i,
          table,
          width: 2250,
          shadow: 0.5,
          ...options,
        })
        const file = await folder.put(jpeg)
        const began = performance.now()
        const page = await reader.pageOfPicture({ file, corners: 'find', turns: 0 })
        seconds += (performance.now() - began) / 1000
        const [written, read] = await wordsOf(reader, [
          await folder.put(essay),
          await folder.put(picturesToPdf([page])),
        ])
        const right = inCommon(written, read)
        sum.found += page.corners ? 1 : 0
        sum.written += written.length
        sum.right += right
        sum.read += read.length
        sum.worst = Math.min(sum.worst, right / written.length)
      }
      const { written, right, read, found, worst } = sum
      figures.push({ table, photos: each, found, right: right / written, extra: (read - right) / written, worst })
    }
    return { figures, photosASecond: (each * tables.length) / seconds }
  } finally {
    await reader.close()
    await folder.remove()
  }
}

async function wordsOf(reader: PaperReader, files: [string, string]): Promise<[string[], string[]]> {
  const words = ({ pages }: Paper) =>
    pages.flatMap(({ lines }) => lines.flatMap(({ hidden, text }) => (hidden ? [] : text.split(/\s+/))))
  return [words(await reader.read(files[0])), words(await reader.read(files[1]))]
}

function inCommon(written: readonly string[], read: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of read) left.set(word, (left.get(word) ?? 0) + 1)
  return written.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  }).length
}

/** What opening one large picture takes in a fresh child, in MB with the child's start, and in seconds; or why it cannot be opened. */
export async function measurePictureMemory(): Promise<
  { name: string; megabytes: number; seconds: number; failure: string | null }[]
> {
  const folder = await createPaperFolder()
  const [wide, high] = [4032, 3024]
  const photo = await drawPhotoJpeg(await drawEssay(1), { seed: 1, table: 'wood', width: high, shadow: 0.5 })
  const pictures: [string, Buffer][] = [
    ['JPEG, 12 megapixels', photo],
    ['PNG, 12 megapixels', await sharp(photo).png({ compressionLevel: 3 }).toBuffer()],
    ['HEIC, 12 megapixels', largeHeic(wide, high)],
    ['HEIC, 24 megapixels', largeHeic(5712, 4288)],
    ['JPEG, 48 megapixels', await sharp(photo).resize(6048, 8064).jpeg({ quality: 85 }).toBuffer()],
  ]
  const measured = []
  try {
    for (const [name, bytes] of pictures) {
      const file = await folder.put(bytes)
      const before = watchMemory()()
      const reader = createPaperReader({ processes: 1 })
      const peak = watchMemory(30)
      const began = performance.now()
      const failure = await reader.pageOfPicture({ file, corners: 'find', turns: 0 }).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      const seconds = (performance.now() - began) / 1000
      measured.push({ name, megabytes: peak() - before, seconds, failure })
      await reader.close()
    }
    return measured
  } finally {
    await folder.remove()
  }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** The rows of the bench. */
export async function reportPhotos({ heading, result }: BenchReport): Promise<void> {
  heading('Photos of printed pages, and the memory of reading pictures')
  const { figures, photosASecond } = await measurePhotoWords(REPORTED_SEED, 6)
  for (const { table, photos, found, right, extra, worst } of figures)
    result(
      `photos on a table (${table}): ${found} of ${photos} sheets found`,
      percent(right),
      `words right, 97 % wanted; worst photo ${percent(worst)}, extra words ${percent(extra)}`,
    )
  const all = figures.reduce((sum, { right }) => sum + right / figures.length, 0)
  result('photos: words right on all tables', percent(all), 'goal: at least 97 %')
  result('photos straightened a second', photosASecond.toFixed(2))
  for (const { name, megabytes, seconds, failure } of await measurePictureMemory())
    result(
      `memory of a child for one ${name}`,
      `${Math.round(megabytes)} MB`,
      `600 MB, ${seconds.toFixed(1)} s${failure ? `: ${failure}` : ''}`,
    )
}
