import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { listClassScans, uploadClassScan } from '@assay/shared/class-scans.ts'
import { type PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { changePictures } from '../../../../../tests/papers/change-pictures.ts'
import { drawClassStack, drawExam } from '../../../../../tests/papers/class-stack.ts'
import { buildCourse, buildStudent } from '../../../testing/build-course.ts'
import { analyseClassScan, createExam } from '../../../testing/scanned-class.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()

const names = [
  { name: 'Henrietta Blackwood', number: '481920' },
  { name: 'Oluwaseun Adeyemi', number: '730164' },
]

let teacher: Person
let params: { assignmentId: number }
let stack: Buffer

/** Two papers of four pages. */
beforeAll(async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  for (const { name, number } of names) await buildStudent(courseId, { full_name: name, student_number: number })
  const exam = await drawExam('Science, end of year examination', 5)
  teacher = instructor
  params = { assignmentId: await createExam(api.as(teacher), courseId, exam.pdf) }
  stack = await drawClassStack({ students: names, seed: 4 })
})

const storedFiles = async () =>
  (await readdir(join(server.running.services.config.dataDir, 'papers'), { recursive: true })).length

describe('a file that is no PDF', () => {
  const white = sharp({ create: { width: 60, height: 80, channels: 3, background: 'white' } })
  const cases: [string, string, string, () => Promise<Buffer> | Buffer][] = [
    ['a photo', 'photo.jpg', 'Only PDF files are allowed', () => white.jpeg().toBuffer()],
    ['a photo named as a PDF', 'photo.pdf', 'Only PDF files are allowed', () => white.png().toBuffer()],
    ['a page of HTML', 'scan.pdf', 'Only PDF files are allowed', () => Buffer.from('<html><script>alert(1)</script>')],
    ['a file of no bytes', 'scan.pdf', 'is empty', () => Buffer.alloc(0)],
    ['the head of a PDF', 'scan.pdf', 'damaged', () => Buffer.from('%PDF-1.7\n')],
    ['half a stack', 'scan.pdf', 'damaged', () => stack.subarray(0, 20_000)],
  ]
  it.each(cases)('is named with the reason, and no scan is begun: %s', async (_, name, words, create) => {
    const before = [(await api.as(teacher).send(listClassScans, { params })).body.length, await storedFiles()]
    const files = {
      files: [
        { name: 'good.pdf', bytes: stack },
        { name, bytes: await create() },
      ],
    }
    const reply = await api.as(teacher).send(uploadClassScan, { params, files })
    expect([reply.status, reply.body]).toMatchObject([422, { error_code: 'files_refused' }])
    expect(reply.text).toMatch(new RegExp(`${name}: [^"]*${words}`))
    expect([(await api.as(teacher).send(listClassScans, { params })).body.length, await storedFiles()]).toEqual(before)
  })
})

describe('a picture on a page of a stack', () => {
  const cases: [string, (of: PDFRawStream, document: PDFDocument) => void][] = [
    [
      'of 100 megapixels in few bytes',
      (of, { context }) => {
        for (const name of ['Width', 'Height']) of.dict.set(PDFName.of(name), context.obj(10_000))
        of.dict.set(PDFName.of('Filter'), PDFName.of('FlateDecode'))
        Object.assign(of, { contents: deflateSync(Buffer.alloc(100e6)) })
      },
    ],
    [
      'that says it has 4,000 megapixels',
      (of) => {
        const jpeg = Buffer.from(of.contents)
        // Its frame header (ITU-T T.81, B.2.2).
        const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
        jpeg.writeUInt16BE(65_500, frame + 5)
        jpeg.writeUInt16BE(65_500, frame + 7)
        Object.assign(of, { contents: jpeg })
      },
    ],
    ['that ends in the middle', (of) => Object.assign(of, { contents: of.contents.slice(0, of.contents.length / 3) })],
    ['that has no bytes', (of) => Object.assign(of, { contents: new Uint8Array() })],
    ['that is a page of HTML', (of) => Object.assign(of, { contents: Buffer.from('<html><script>alert(1)</script>') })],
  ]
  it.each(cases)('%s costs no other page, and its own or its paper is asked about', async (_, change) => {
    const { open } = await analyseClassScan(api.as(teacher), params, await changePictures(stack, 6, change))
    const { papers, dropped, pages } = await open()
    const all = [...papers.flatMap((paper) => paper.pages), ...dropped]
    expect(all.map(({ page }) => page).sort((a, b) => a - b)).toEqual(Array.from({ length: pages }, (_, i) => i + 1))
    const [first] = papers
    expect(first?.pages.map(({ page, doubts }) => [page, doubts])).toEqual([1, 2, 3, 4].map((page) => [page, []]))
    // What is drawn as an empty sheet leaves its page missing in the paper.
    const itsPaper = papers.find((paper) => paper.pages.some(({ page }) => page === 6))
    const sixth = itsPaper?.pages.find(({ page }) => page === 6)
    const asked = [...(sixth?.doubts ?? []), ...(itsPaper?.notes ?? []), ...dropped.filter(({ page }) => page === 6)]
    expect(asked).not.toEqual([])
  })
})
