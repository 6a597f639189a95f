import { PDFDocument } from 'pdf-lib'

export const joinPapers = (papers: readonly Buffer[]): Promise<Buffer> =>
  firstPagesOf(...papers.map((paper): [Buffer] => [paper]))

/** Of each paper all pages, or so many. */
export async function firstPagesOf(...papers: [paper: Buffer, pages?: number][]): Promise<Buffer> {
  const joined = await PDFDocument.create({ updateMetadata: false })
  for (const [paper, pages] of papers) {
    const source = await PDFDocument.load(paper)
    const copied = await joined.copyPages(source, source.getPageIndices().slice(0, pages))
    for (const page of copied) joined.addPage(page)
  }
  return Buffer.from(await joined.save())
}
